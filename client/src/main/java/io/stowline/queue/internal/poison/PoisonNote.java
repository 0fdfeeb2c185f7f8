package io.stowline.queue.internal.poison;

import io.stowline.queue.internal.MessageView;
import io.stowline.transport.internal.concurrent.UserCode;
import org.jspecify.annotations.Nullable;

/**
 * The note on why a message is poison.
 *
 * @param reason the reason, such as {@code failed 5 times}
 * @param error the exception of its last handling, by class and text, or {@code null}
 * @param failures the number of failed handlings in this process
 */
public record PoisonNote(
        MessageView message, String reason, @Nullable String error, int failures) {

    private static final int MAX_TEXT = 1_000;

    /** Returns the text of an error for a note: its class and the beginning of its message. */
    public static @Nullable String text(@Nullable Throwable error) {
        String text = error == null ? null : UserCode.text(error);
        return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }
}
