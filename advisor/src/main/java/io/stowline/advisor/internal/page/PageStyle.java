package io.stowline.advisor.internal.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;

/**
 * The style sheet of the page, with the content security policy that allows it and no other content.
 *
 * @param css the sheet
 * @param policy the policy
 */
record PageStyle(String css, String policy) {

    static PageStyle load() {
        try (InputStream file = Objects.requireNonNull(PageStyle.class.getResourceAsStream("page.css"), "page.css")) {
            // A browser digests the sheet with the line ends of HTML.
            String css = new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
            return new PageStyle(
                    css,
                    "default-src 'none'; style-src 'sha256-" + digest(css) + "'; base-uri 'none'; form-action 'none'");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(String css) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(css.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
