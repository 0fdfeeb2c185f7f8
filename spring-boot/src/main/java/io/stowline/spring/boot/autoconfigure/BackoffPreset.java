package io.stowline.spring.boot.autoconfigure;

import io.stowline.retry.Backoff;

/** The presets of {@link Backoff} that properties such as {@code stowline.retry.backoff} can name. */
public enum BackoffPreset {

    /** Exponential waits of about 2, 4, 8 and 16 s with jitter: {@link Backoff#standard}. */
    STANDARD,

    /** The formula of Microsoft's article: {@link Backoff#article}. */
    ARTICLE,

    /** The ladder of Microsoft's checklist, 2, 4, 10 and 30 s: {@link Backoff#checklist}. */
    CHECKLIST,

    /** Short waits for a person who waits: {@link Backoff#interactive}. */
    INTERACTIVE,

    /** One attempt: {@link Backoff#none}. */
    NONE;

    /**
     * Returns the preset.
     *
     * @return the waits
     */
    public Backoff backoff() {
        return switch (this) {
            case STANDARD -> Backoff.standard();
            case ARTICLE -> Backoff.article();
            case CHECKLIST -> Backoff.checklist();
            case INTERACTIVE -> Backoff.interactive();
            case NONE -> Backoff.none();
        };
    }
}
