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

/** Where the reads of one view of a service go. Immutable. */
public final class ReadPreference {

    /** Reads of an account of which nothing but the primary is known. */
    public static final ReadPreference PRIMARY_ONLY = new ReadPreference(
            () -> {
                throw new IllegalArgumentException("the secondary endpoint of this account is not known");
            },
            null);

    private final Supplier<LastSyncTimeCache> copy;
    private final @Nullable LastSyncTimeCache used;

    /** An account may be without a copy; a view that wants the copy finds out. */
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
     * The same with another source.
     *
     * @param source where reads go
     * @return the narrowed reads
     * @throws IllegalArgumentException if the account has no such place for this service
     */
    public ReadPreference with(ReadFrom source) {
        return new ReadPreference(
                copy, Objects.requireNonNull(source, "source") == ReadFrom.PRIMARY ? null : copy.get());
    }

    /**
     * A read that is an operation by itself.
     *
     * @return how it goes, or {@code null} for to the primary only
     */
    public @Nullable ReadRoute any() {
        return routing(false, false);
    }

    /**
     * A read that goes on where another one ended, and makes sense there only: the next page of a listing.
     *
     * @param before where that one was answered, or {@code null} if there was none
     * @return how it goes, or {@code null} for to the primary only
     */
    public @Nullable ReadRoute onwards(@Nullable ReadOrigin before) {
        if (before == null) {
            return any();
        }
        return before.secondary() ? routing(true, true) : null;
    }

    /**
     * A read of the version that another one found: the other place may have it too, and if not, that means nothing.
     *
     * @param before where that one was answered, or {@code null} if there was none
     * @return how it goes, or {@code null} for to the primary only
     */
    public @Nullable ReadRoute sameVersion(@Nullable ReadOrigin before) {
        return routing(before != null && before.secondary(), false);
    }

    private @Nullable ReadRoute routing(boolean startsThere, boolean stays) {
        LastSyncTimeCache source = used;
        return source == null ? null : new ReadRoute(source.secondary(), source, startsThere, stays);
    }
}
