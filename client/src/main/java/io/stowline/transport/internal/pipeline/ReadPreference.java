package io.stowline.transport.internal.pipeline;

import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.SecondaryEndpoint;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The places of the reads of one view of a service. Immutable. */
public final class ReadPreference {

    private final Supplier<LastSyncTimeCache> copy;
    private final @Nullable LastSyncTimeCache used;

    /** An account may be without a copy; only a view that wants the copy checks it. */
    private ReadPreference(Supplier<LastSyncTimeCache> copy, @Nullable LastSyncTimeCache used) {
        this.copy = copy;
        this.used = used;
    }

    /**
     * Reads of the primary only.
     *
     * @param pipeline the way to it
     * @return the reads, which can be given another source if the account has one
     */
    public static ReadPreference of(StorageAccount account, Service service, StoragePipeline pipeline) {
        boolean copied = account.endpoints().containsKey(service)
                && account.secondary(service).isPresent();
        LastSyncTimeCache lastSync =
                copied ? new LastSyncTimeCache(SecondaryEndpoint.of(account, service), pipeline) : null;
        return new ReadPreference(
                () -> lastSync == null
                        ? new LastSyncTimeCache(SecondaryEndpoint.of(account, service), pipeline)
                        : lastSync,
                null);
    }

    /**
     * Refuses what the account has not.
     *
     * @param from where reads are to go
     * @param account the account, of which the services that it has must all have it
     * @throws IllegalArgumentException if one has not
     */
    public static void check(ReadFrom from, StorageAccount account) {
        if (from != ReadFrom.PRIMARY) {
            account.endpoints().keySet().forEach(service -> SecondaryEndpoint.of(account, service));
        }
    }

    /**
     * Returns the preference with another source.
     *
     * @param source the places of reads
     * @return the preference
     * @throws IllegalArgumentException if the account has no such place for this service
     */
    public ReadPreference with(ReadFrom source) {
        return new ReadPreference(
                copy, Objects.requireNonNull(source, "source") == ReadFrom.PRIMARY ? null : copy.get());
    }

    /**
     * Returns the route of a read that is an operation by itself.
     *
     * @return its route, or {@code null} for the primary only
     */
    public @Nullable ReadRoute any() {
        return routing(false, false);
    }

    /**
     * Returns the route of a read that continues another one, and makes sense at its place only: the next page of a listing.
     *
     * @param before the place of that one, or {@code null} if there was none
     * @return its route, or {@code null} for the primary only
     */
    public @Nullable ReadRoute onwards(@Nullable ReadOrigin before) {
        if (before == null) {
            return any();
        }
        return before.secondary() ? routing(true, true) : null;
    }

    /**
     * Returns the route of a read of the version that another one found: the other place may have it too, and if not, that means nothing.
     *
     * @param before the place of that one, or {@code null} if there was none
     * @return its route, or {@code null} for the primary only
     */
    public @Nullable ReadRoute sameVersion(@Nullable ReadOrigin before) {
        return routing(before != null && before.secondary(), false);
    }

    private @Nullable ReadRoute routing(boolean startsThere, boolean stays) {
        LastSyncTimeCache source = used;
        return source == null ? null : new ReadRoute(source.secondary(), source, startsThere, stays);
    }
}
