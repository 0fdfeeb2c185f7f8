package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;

/** An exchange of a hand-made client: its requests, and the reading of the responses; called by one thread. */
public interface BareExchange {

    /** Writes a whole request. */
    void request(ByteBuf out);

    /** Takes the body of a whole response, and returns the number of its items. */
    int response(int status, ByteBuf body);
}
