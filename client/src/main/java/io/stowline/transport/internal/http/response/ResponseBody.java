package io.stowline.transport.internal.http.response;

import io.netty.buffer.ByteBuf;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.IOException;

/** The place of a body while it arrives. */
public interface ResponseBody {

    /**
     * Takes the head of the response, which belongs to the request.
     *
     * @param length the length of the body, or a negative number if that is not known
     * @throws IOException if a body of that length cannot be taken
     */
    void begin(int status, StorageResponse.Headers headers, long length) throws IOException;

    /**
     * Takes a part.
     *
     * @param length how many of its bytes belong to the body; they are read
     * @return false if the body is cut off here
     * @throws IOException if it cannot be taken
     */
    boolean add(ByteBuf part, int length) throws IOException;

    /** Returns the body as an array, empty if it went elsewhere. */
    byte[] bytes();
}
