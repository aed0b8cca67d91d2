package org.sluice.device.layer;

import java.util.List;
import org.sluice.device.ErrorCode;

/**
 * Is told what befalls a layer's peers, under the device's lock: it returns at once, and calls nothing of the device
 * but what it is given.
 */
public interface LayerWatcher {
    /** As {@link Layer#end}, for whoever is told. */
    @FunctionalInterface
    interface Ending {
        void end(int context, int count, ErrorCode code, int peer, String message);
    }

    /** As {@link Layer#notice}, for whoever looks. */
    @FunctionalInterface
    interface Telling {
        void notice(int peer, LayerNotice notice);
    }

    /** What is going on, and groups that are idle; changes nothing, and may be a moment old. */
    List<LayerActivity> activities();

    /** Each time the life of peers is looked at, a few times a second while a call is in the device. */
    void looks(Telling telling);

    /** A peer has died, or is cut off. */
    void died(int peer, ErrorCode code, String message, Ending ending);

    /** A peer's layer has sent this by {@link Layer#notice}. */
    void noticed(int peer, LayerNotice notice, Ending ending);
}
