package mpjbuf;

public interface RawBuffer {}
