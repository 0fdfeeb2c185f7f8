package io.stowline.benchmarks.side.bare;

import io.netty.buffer.ByteBuf;

/** What a hand-made client sends and how it takes the answers; called by one thread. */
public interface BareExchange {

    /** Writes a whole request. */
    void request(ByteBuf out);

    /** Takes the body of a whole answer and tells how many items that makes. */
    int answer(int status, ByteBuf body);
}
