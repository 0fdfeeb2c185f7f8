package io.stowline.testkit.internal.strict.request;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error of a service in XML.
 *
 * @param code the error code
 * @param message the text
 */
public record XmlError(String code, String message) {

    /**
     * Reads the body of a response.
     *
     * @return empty when it is no error in XML
     */
    public static Optional<XmlError> of(byte[] body) {
        Reader reader = new Reader();
        XmlReader.read(Bytes.all(body), reader);
        return reader.code == null
                ? Optional.empty()
                : Optional.of(new XmlError(reader.code, reader.message == null ? "" : reader.message));
    }

    private static final class Reader implements XmlReader.Listener {

        private final StringBuilder text = new StringBuilder();
        private @Nullable String code;
        private @Nullable String message;

        @Override
        public void started(String name) {
            text.setLength(0);
        }

        @Override
        public void text(String more) {
            text.append(more);
        }

        @Override
        public void ended(String name) {
            if (name.equals("Code")) {
                code = text.toString();
            } else if (name.equals("Message")) {
                message = text.toString();
            }
        }
    }
}
