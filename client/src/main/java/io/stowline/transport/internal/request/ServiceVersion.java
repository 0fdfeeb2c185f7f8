package io.stowline.transport.internal.request;

import com.azure.core.http.HttpHeaderName;
import io.stowline.transport.StorageLimits;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Objects;

/**
 * The version of the services' REST interface that all requests of a client name in {@code x-ms-version}. Azure offers every version to all
 * services, and each region that has one has all older ones (the page "Versioning for Azure Storage").
 *
 * @param date the version as the header has it, such as {@code 2022-11-02}
 */
public record ServiceVersion(String date) {

    public static final HttpHeaderName HEADER = HttpHeaderName.fromString("x-ms-version");

    /** The oldest version with all verbs of this library, so that emulators and clouds that lag behind have it, too. */
    public static final ServiceVersion DEFAULT = new ServiceVersion("2022-11-02");

    /** The first version with tokens of Microsoft Entra ID, and the oldest one of the clouds that lag behind. */
    private static final ServiceVersion OLDEST = new ServiceVersion("2017-11-09");

    /** The first version that moves blobs to the cold tier. */
    private static final ServiceVersion COLD = new ServiceVersion("2021-12-02");

    /** The first version that copies content from an address in one step, and takes a token for it. */
    private static final ServiceVersion COPYING = new ServiceVersion("2020-10-02");

    /** The bytes of an append that versions before 2022-11-02 take. */
    private static final int SMALL_APPEND = 4 << 20;

    private static final String SETTING = "serviceVersion";

    /**
     * Reads the setting.
     *
     * @throws IllegalArgumentException if it is no date of a version that this library can speak
     */
    public static ServiceVersion of(String text) {
        Objects.requireNonNull(text, SETTING);
        boolean date = text.length() == DEFAULT.date.length();
        try {
            date = date && LocalDate.parse(text).toString().equals(text);
        } catch (DateTimeException e) {
            date = false;
        }
        if (!date || new ServiceVersion(text).isOlderThan(OLDEST)) {
            throw new IllegalArgumentException(
                    SETTING + " is the date of a version of the storage services from " + OLDEST.date + " on, such as "
                            + DEFAULT.date + ", not " + (date ? text : "a text of another form"));
        }
        return new ServiceVersion(text);
    }

    public boolean isOlderThan(ServiceVersion other) {
        return date.compareTo(other.date) < 0;
    }

    /**
     * Refuses an access tier that this version does not have.
     *
     * @param tier its name as the service spells it
     * @throws IllegalArgumentException naming the setting
     */
    public void checkTier(String tier) {
        if (tier.equalsIgnoreCase("Cold")) {
            check("the access tier Cold", COLD);
        }
    }

    /**
     * Refuses an append that this version does not take.
     *
     * @param bytes its length
     * @throws IllegalArgumentException naming the setting
     */
    public void checkAppend(int bytes) {
        if (bytes > SMALL_APPEND) {
            check("an append of more than 4 MiB (" + bytes + " bytes)", DEFAULT);
        }
    }

    /** Returns the largest append that this version takes, in bytes. */
    public int maxAppend() {
        return isOlderThan(DEFAULT) ? SMALL_APPEND : StorageLimits.APPEND_BLOCK_MAX_BYTES;
    }

    /** Returns whether this version copies content from an address in one step. */
    public boolean copies() {
        return !isOlderThan(COPYING);
    }

    /**
     * Refuses a copy that this version would make in another way.
     *
     * @throws IllegalArgumentException naming the setting
     */
    public void checkCopy() {
        check("a copy by the service", COPYING);
    }

    private void check(String feature, ServiceVersion since) {
        if (isOlderThan(since)) {
            throw new IllegalArgumentException(
                    feature + " needs " + SETTING + " " + since.date + " or newer, but this client is set to " + date);
        }
    }

    /** Returns the way out for a service that refuses this version. */
    public String remedy() {
        return "the client sends x-ms-version " + date + ": set " + SETTING + " of the client to a version that this"
                + " service supports";
    }

    @Override
    public String toString() {
        return date;
    }
}
