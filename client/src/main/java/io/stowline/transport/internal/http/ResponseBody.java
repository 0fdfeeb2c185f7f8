package io.stowline.transport.internal.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;

/** The place of a body while it arrives. */
public interface ResponseBody {

    /**
     * Takes a part.
     *
     * @param length how many of its bytes belong to the body; they are read
     * @return false if the body is cut off here
     * @throws IOException if it cannot be taken
     */
    boolean add(ByteBuf part, int length) throws IOException;

    /** The body as an array, empty if it went elsewhere. */
    byte[] bytes();
}
