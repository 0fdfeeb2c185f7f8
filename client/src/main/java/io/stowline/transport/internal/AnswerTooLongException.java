package io.stowline.transport.internal;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaders;
import java.io.IOException;

/** An answer of which more came than is read of one: its sender is no storage service. */
final class AnswerTooLongException extends IOException {

    private static final long serialVersionUID = 1L;

    private AnswerTooLongException(String message) {
        super(message);
    }

    static AnswerTooLongException body(int bound) {
        return new AnswerTooLongException(
                "the answer is longer than " + bound + " bytes, the most that is read of one");
    }

    static AnswerTooLongException header(int length) {
        return new AnswerTooLongException("the answer has a header of " + length + " characters; " + AnswerBounds.HEADER
                + " are the most that is read of one");
    }

    /** Refuses headers that are longer than what is read of one. */
    static void check(HttpHeaders headers) throws AnswerTooLongException {
        for (HttpHeader header : headers) {
            String value = header.getValue();
            if (value != null && value.length() > AnswerBounds.HEADER) {
                throw header(value.length());
            }
        }
    }
}
