package io.stowline.transport.internal.pipeline;

import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.request.ExtraHeaders;

/**
 * The settings that a view of a table, queue or container may change.
 *
 * @param retry the retry settings of its operations
 * @param reads the place of reads whose results name it
 * @param headers the application's headers for all its requests
 */
public record ViewSettings(RetrySettings retry, ReadPreference reads, ExtraHeaders headers) {

    /** Returns the settings of a view without headers of the application. */
    public static ViewSettings of(RetrySettings retry, ReadPreference reads) {
        return new ViewSettings(retry, reads, ExtraHeaders.NONE);
    }

    /** Returns the settings with another retry. */
    public ViewSettings with(RetrySettings settings) {
        return new ViewSettings(settings, reads, headers);
    }

    /**
     * Returns the settings with other places of reads.
     *
     * @throws IllegalArgumentException if the account has no such place
     */
    public ViewSettings with(ReadFrom from) {
        return new ViewSettings(retry, reads.with(from), headers);
    }

    /**
     * Returns the settings with one more header, or another value for it.
     *
     * @throws IllegalArgumentException if it is not allowed, see {@link ExtraHeaders#with}
     */
    public ViewSettings header(String name, String value) {
        return new ViewSettings(retry, reads, headers.with(name, value));
    }
}
