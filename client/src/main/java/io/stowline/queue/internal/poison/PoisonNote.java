package io.stowline.queue.internal.poison;

import io.stowline.queue.internal.MessageView;
import io.stowline.transport.internal.concurrent.UserCode;
import org.jspecify.annotations.Nullable;

/**
 * Why a message is poison.
 *
 * @param reason what made it poison, such as {@code failed 5 times}
 * @param error what its last handling threw, by class and text, or {@code null} if there is none
 * @param failures how many of its handlings failed in this process
 */
public record PoisonNote(
        MessageView message, String reason, @Nullable String error, int failures) {

    private static final int MOST_TEXT = 1_000;

    /** What an error says in a note: its class and the beginning of its text. */
    public static @Nullable String text(@Nullable Throwable error) {
        String text = error == null ? null : UserCode.text(error);
        return text == null || text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
    }
}
