package org.sluice.bench.rank;

import org.sluice.bench.plan.BufferKind;
import org.sluice.device.Device;
import org.sluice.device.Request;
import org.sluice.device.Status;

/**
 * By isend and irecv: whatever comes first is looked at first, and a message sent back out of the buffer it came in.
 */
final class AnsweredRequests extends AnsweredSteps {
    /** Of the message in place 0; an answer has its message's tag, and so many more. */
    private static final int FIRST_TAG = 16;

    private static final int ANSWERS = 1 << 10;

    private final Status status = new Status();
    private Payload[] messages = {};
    private Payload[] answers = {};
    /** Of messages, then of answers. */
    private Request[] receives = {};
    /** Of messages, then of answers. */
    private Request[] sends = {};

    AnsweredRequests(Device device, BufferKind kind) {
        super(device, kind, device::allocate);
    }

    @Override
    void begin() {
        messages = payloads(messages, partners.from.length, place -> partners.bytes(partners.fromPlace[place]));
        answers = payloads(answers, partners.to.length, partners::answerBytes);
        int all = partners.from.length + partners.to.length;
        receives = new Request[all];
        sends = new Request[all];
    }

    @Override
    void once(int iteration) {
        int coming = partners.from.length;
        int going = partners.to.length;
        for (int place = 0; place < coming; place++) {
            int sent = partners.fromPlace[place];
            receives[place] = receive(messages[place], partners.bytes(sent), partners.from[place], FIRST_TAG + sent);
        }
        for (int place = 0; place < going; place++) {
            receives[coming + place] = receive(
                    answers[place], partners.answerBytes(place), partners.to[place], FIRST_TAG + ANSWERS + place);
        }
        for (int place = 0; place < going; place++) {
            sends[place] = send(filled(iteration, place), partners.bytes(place), partners.to[place], FIRST_TAG + place);
        }
        int counted = partners.counted();
        for (int left = coming + going; left > 0; left--) {
            int arrived = device.waitAny(receives);
            receives[arrived].waitFor(status);
            receives[arrived] = null;
            if (arrived < coming) {
                answer(iteration, arrived);
            } else if (answered(iteration, arrived - coming) && --counted == 0) {
                counted();
            }
        }
        for (int i = 0; i < sends.length; i++) {
            sends[i].waitFor(status);
            sends[i] = null;
        }
    }

    private Request receive(Payload into, int bytes, int from, int tag) {
        return device.irecv(into.handle, 0, bytes, from, tag, Device.DEFAULT_CONTEXT);
    }

    private Request send(Object buffer, int bytes, int to, int tag) {
        return device.isend(buffer, 0, bytes, to, tag, Device.DEFAULT_CONTEXT);
    }

    private void answer(int iteration, int place) {
        int sent = partners.fromPlace[place];
        DeviceExchange.checkLength(status, partners.bytes(sent));
        check(messages[place].bytes, iteration, place);
        sends[partners.to.length + place] = send(
                messages[place].handle, partners.answerBytes(sent), partners.from[place], FIRST_TAG + ANSWERS + sent);
    }

    /** @return whether its time counts */
    private boolean answered(int iteration, int place) {
        DeviceExchange.checkLength(status, partners.answerBytes(place));
        checkAnswer(answers[place].bytes, iteration, place);
        return !partners.isHuge(place);
    }

    @Override
    void end() {
        // Every iteration waits for all that it began.
    }

    @Override
    public void close() {
        close(messages);
        close(answers);
        super.close();
    }
}
