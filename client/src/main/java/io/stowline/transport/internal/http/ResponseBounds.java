package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaders;
import java.io.IOException;

/**
 * The most that is read of what a server sends (decision 56). A server may be broken, or another one than it claims: whatever it sends costs bounded
 * memory, and time in proportion to its length.
 */
public final class ResponseBounds {

    /** Bytes of the body of an error; the rest is cut off, since status and headers matter most. */
    public static final int ERROR_BYTES = 64 << 10;

    /** Characters of it that are looked at. */
    public static final int ERROR_TEXT = 16 << 10;

    /** Characters of one header: the service's own bound on all metadata of a blob. */
    public static final int HEADER = 8 << 10;

    /** The most bytes of all headers of a response: metadata, and the service's headers beside them. */
    public static final int ALL_HEADERS = 32 << 10;

    /** Interim responses before the real one, such as {@code 103}; a server sends one or two. */
    public static final int INTERIM = 16;

    /** The most bytes of a response that is read whole: a page of entities, a batch's parts. */
    public static final int PAGE_BYTES = 16 << 20;

    /**
     * The most bytes of a response for the clients of the Azure SDK: 5,000 blobs with 8 KiB of metadata each, or
     * 150,000 blocks.
     */
    public static final int LISTING_BYTES = 64 << 20;

    private ResponseBounds() {}

    public static boolean success(int status) {
        return status / 100 == 2;
    }

    /** The failure of a response that is longer than any of a storage service. */
    public static final class ResponseTooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        private ResponseTooLongException(String message) {
            super(message);
        }

        public static ResponseTooLongException body(int bound) {
            return new ResponseTooLongException(
                    "the response is longer than " + bound + " bytes, the most that is read of one");
        }

        public static ResponseTooLongException header(int length) {
            return new ResponseTooLongException("the response has a header of " + length + " characters; "
                    + ResponseBounds.HEADER + " are the most that is read of one");
        }

        public static ResponseTooLongException head() {
            return new ResponseTooLongException("the response has more than " + ResponseBounds.ALL_HEADERS
                    + " bytes of headers, the most that is read of them");
        }

        public static ResponseTooLongException interim() {
            return new ResponseTooLongException("more than " + ResponseBounds.INTERIM
                    + " interim responses (1xx) came before the response, the limit of what is read of them");
        }

        /** Refuses headers that are longer than what is read of one. */
        public static void check(HttpHeaders headers) throws ResponseTooLongException {
            for (HttpHeader header : headers) {
                String value = header.getValue();
                if (value != null && value.length() > ResponseBounds.HEADER) {
                    throw header(value.length());
                }
            }
        }
    }
}
