package io.stowline.transport.internal.http;

/** The body of a request, which is written into memory of the HTTP client's when an attempt is sent. Thread-safe. */
public interface RequestBody {

    /**
     * How many bytes it has.
     *
     * @return the length
     */
    int length();

    /**
     * Writes it; the same bytes each time.
     *
     * @param target where to
     * @param from where it begins there
     */
    void write(byte[] target, int from);

    /**
     * The bytes as an array of their own.
     *
     * @return the bytes
     */
    default byte[] bytes() {
        byte[] bytes = new byte[length()];
        write(bytes, 0);
        return bytes;
    }

    /**
     * A body that lies in memory.
     *
     * @param bytes its bytes, not to be changed
     * @return the body
     */
    static RequestBody of(byte[] bytes) {
        return new RequestBody() {
            @Override
            public int length() {
                return bytes.length;
            }

            @Override
            public void write(byte[] target, int from) {
                System.arraycopy(bytes, 0, target, from, bytes.length);
            }

            @Override
            public byte[] bytes() {
                return bytes;
            }
        };
    }
}
