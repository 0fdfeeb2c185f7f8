package io.stowline.ring.internal.blob;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.UploadSettings;
import io.stowline.error.NotFoundException;
import io.stowline.ring.RingAccount.Membership;
import io.stowline.ring.internal.move.DescriptionCheck;
import io.stowline.ring.internal.move.MovePause;
import io.stowline.ring.internal.move.RingEpoch;
import io.stowline.ring.internal.place.MergedResults;
import io.stowline.ring.internal.place.RingMember;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** The way of operations to the blobs of a container. Blobs whose homes differ go by their place while the ring changes. Thread-safe. */
public final class BlobRoutes {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    /** The version of no blob. */
    private static final String NONE = "\"0\"";

    private final RoutedContainer container;
    private final @Nullable BlobFence fence;

    /**
     * Makes the routes of a container.
     *
     * @param check the check of this process
     */
    public BlobRoutes(RoutedContainer container, DescriptionCheck check, MovePause pause) {
        this.container = container;
        this.fence = container.members().isChanging()
                ? new BlobFence(
                        new ContainerBlobStore(container),
                        blob -> {
                            container.checked(container.after(blob));
                            return check.of(container.before(blob).name());
                        },
                        pause,
                        LONGEST_WAIT)
                : null;
    }

    /** An upload with settings. */
    @FunctionalInterface
    interface BlobUpload {
        BlobWriteResult to(BlobContainer home, UnaryOperator<UploadSettings.Builder> settings);
    }

    /** An operation on one version of a blob. */
    @FunctionalInterface
    interface VersionedVerb<R> {
        R at(BlobContainer home, @Nullable BlobPlace version);
    }

    /** Returns whether an account joins or leaves. */
    boolean isChanging() {
        return fence != null;
    }

    /** Returns the settings of an upload that replaces one version only. */
    static UploadSettings.Builder only(UploadSettings settings, @Nullable BlobPlace version) {
        if (!settings.overwrite() || settings.ifMatch().isPresent()) {
            return settings.toBuilder();
        }
        if (version != null) {
            return settings.toBuilder().ifMatch(version.etag());
        }
        if (settings.ifTags().isPresent()) {
            return settings.toBuilder().ifMatch(NONE);
        }
        return new UploadSettings(
                        false,
                        settings.ifMatch(),
                        settings.headers(),
                        settings.metadata(),
                        settings.tags(),
                        settings.tier(),
                        settings.ifTags(),
                        settings.blockSize(),
                        settings.parallelism(),
                        settings.gzip(),
                        settings.progress())
                .toBuilder();
    }

    /** Returns the settings of a download that reads one version only. */
    static DownloadSettings.Builder only(DownloadSettings.Builder settings, @Nullable BlobPlace version) {
        return settings.build().ifMatch().isPresent() ? settings : settings.ifMatch(etag(version));
    }

    static String etag(@Nullable BlobPlace version) {
        return version == null ? NONE : version.etag();
    }

    static BlobInfo shown(BlobInfo stored) {
        return BlobPlace.of(stored).info();
    }

    private RingMember member(RingEpoch home, String blob) {
        return home == RingEpoch.OLD ? container.before(blob) : container.after(blob);
    }

    private boolean moves(String blob) {
        return !container.before(blob).equals(container.after(blob));
    }

    private <R> R at(RingMember home, Function<BlobContainer, R> verb) {
        return home.call(() -> verb.apply(container.at(container.checked(home))));
    }

    private <R> BlobFence.VersionedCall<R> placed(String blob, VersionedVerb<R> versioned) {
        return (home, version) -> {
            RingMember member = member(home, blob);
            return member.call(() -> versioned.at(container.at(member), version));
        };
    }

    <R> R read(String blob, Function<BlobContainer, R> plain, VersionedVerb<R> versioned) {
        return fence == null || !moves(blob)
                ? at(container.after(blob), plain)
                : fence.read(blob, home -> at(member(home, blob), plain), placed(blob, versioned));
    }

    <R> R write(String blob, boolean repeatable, Function<BlobContainer, R> plain, VersionedVerb<R> versioned) {
        return fence == null || !moves(blob)
                ? at(container.after(blob), plain)
                : fence.write(blob, repeatable, home -> at(member(home, blob), plain), placed(blob, versioned));
    }

    /** Returns the blobs of all accounts, each name once while the ring changes. */
    Stream<BlobInfo> stream(String prefix) {
        List<RingMember> members = container.ofRegion();
        members.forEach(container::checked);
        List<Flux<AccountBlob>> accounts = members.stream()
                .map(member -> container.at(member).reactive().stream(prefix)
                        .map(info -> new AccountBlob(member, info))
                        .onErrorResume(NotFoundException.class, missing -> joining(member, missing))
                        .onErrorMap(member::named))
                .toList();
        Stream<AccountBlob> merged =
                MergedResults.stream(accounts, AccountBlob::name, Comparator.naturalOrder(), Long.MAX_VALUE);
        return NamedBlobs.of(merged).flatMap(this::shown);
    }

    /** An account that joins has no container before the move. */
    private static Flux<AccountBlob> joining(RingMember member, NotFoundException missing) {
        return member.account().membership() == Membership.JOINING ? Flux.empty() : Flux.error(missing);
    }

    private Stream<BlobInfo> shown(List<AccountBlob> same) {
        String blob = same.get(0).name();
        RingMember after = container.after(blob);
        if (fence == null) {
            return container.members().hasLeftovers(container.checked(after))
                    ? same.stream().flatMap(listed -> listed.readableAt(after))
                    : same.stream().map(AccountBlob::info);
        }
        RingEpoch settled = moves(blob) ? fence.settled(blob) : RingEpoch.NEW;
        if (settled != null) {
            RingMember home = member(settled, blob);
            return same.stream().flatMap(listed -> listed.readableAt(home));
        }
        RingMember before = container.before(blob);
        if (same.stream().noneMatch(listed -> listed.member().equals(before))) {
            return read(blob).stream();
        }
        return Stream.of(before, after)
                .flatMap(home -> same.stream().flatMap(listed -> listed.readableAt(home)))
                .findFirst()
                .or(() -> read(blob))
                .stream();
    }

    /** Without the old home a blob may be a leftover, and the page of the new home may be older than its move: only the blob shows that. */
    private Optional<BlobInfo> read(String blob) {
        return read(blob, home -> home.find(blob), (home, version) -> Optional.ofNullable(version)
                .map(BlobPlace::info));
    }
}
