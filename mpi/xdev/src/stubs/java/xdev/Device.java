package xdev;

import mpjbuf.Buffer;
import mpjdev.Request;
import mpjdev.Status;

public interface Device {
    int ANY_SOURCE = -2;
    ProcessID ANY_SRC = new ProcessID(null);
    int ANY_TAG = -2;

    ProcessID[] init(String[] args) throws XDevException;

    int getSendOverhead();

    int getRecvOverhead();

    ProcessID id();

    void finish() throws XDevException;

    Request isend(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException;

    void send(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException;

    Request issend(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException;

    void ssend(Buffer buffer, ProcessID dest, int tag, int context) throws XDevException;

    Status recv(Buffer buffer, ProcessID source, int tag, int context) throws XDevException;

    Request irecv(Buffer buffer, ProcessID source, int tag, int context, Status status) throws XDevException;

    Status probe(ProcessID source, int tag, int context) throws XDevException;

    Status iprobe(ProcessID source, int tag, int context) throws XDevException;

    Status iprobe(ProcessID source, ProcessID dest, int tag, int context) throws XDevException;

    Status iprobeAndFetch(ProcessID source, ProcessID dest, int tag, int context, Buffer buffer) throws XDevException;

    Request peek() throws XDevException;
}
