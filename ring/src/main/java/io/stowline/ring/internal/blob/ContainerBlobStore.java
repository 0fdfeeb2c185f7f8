package io.stowline.ring.internal.blob;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.ring.internal.move.RingEpoch;
import io.stowline.ring.internal.place.RingMember;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link BlobStore} over the containers of the accounts. Thread-safe, but for the lists of a mover. */
public final class ContainerBlobStore implements BlobStore {

    private static final int PAGE = 1_000;
    private static final int NOT_IMPLEMENTED = 501;
    private static final byte[] EMPTY = {};

    private final RoutedContainer container;
    private final Map<String, Listing> listings = new HashMap<>();

    public ContainerBlobStore(RoutedContainer container) {
        this.container = container;
    }

    @Override
    public String name() {
        return "container " + container.name() + "@" + container.region();
    }

    private RingMember member(RingEpoch home, String blob) {
        return home == RingEpoch.OLD ? container.before(blob) : container.after(blob);
    }

    /** Returns the container of a blob in one of its homes. */
    BlobContainer at(RingEpoch home, String blob) {
        return container.at(member(home, blob));
    }

    @Override
    public @Nullable BlobPlace find(RingEpoch home, String blob) {
        return member(home, blob)
                .call(() -> at(home, blob).find(blob))
                .map(BlobPlace::of)
                .orElse(null);
    }

    @Override
    public boolean mark(RingEpoch home, String blob, @Nullable BlobPlace from, BlobStage stage, long term) {
        BlobContainer there = at(home, blob);
        return done(member(home, blob), () -> {
            if (from == null) {
                there.upload(EMPTY, blob, with -> with.metadata(BlobPlace.marked(Map.of(), stage, term)));
            } else {
                there.setMetadata(blob, BlobPlace.marked(from.info().metadata(), stage, term), from.etag());
            }
        });
    }

    private static boolean done(RingMember member, Runnable change) {
        return member.call(() -> {
            try {
                change.run();
                return true;
            } catch (PreconditionFailedException | ConflictException | NotFoundException e) {
                if (isByState(e)) {
                    throw e;
                }
                return false;
            } catch (OutcomeUnknownException e) {
                return false;
            }
        });
    }

    /** A lease, a snapshot or a missing container refuses a change however often it is repeated. */
    private static boolean isByState(StorageException e) {
        String code = e.failure().errorCode();
        return code != null && (code.contains("Lease") || code.contains("Snapshots") || code.contains("Container"));
    }

    @Override
    public boolean copy(RingEpoch from, BlobPlace source, RingEpoch to, BlobPlace target, BlobStage stage, long term) {
        String blob = source.info().name();
        BlobContainer there = at(to, blob);
        Map<String, String> metadata = BlobPlace.marked(source.info().metadata(), stage, term);
        Map<String, String> tags = member(from, blob).call(() -> tags(at(from, blob), blob));
        return done(member(to, blob), () -> {
            try {
                there.copyFrom(at(from, blob), blob, blob, with -> with.sourceIfMatch(source.etag())
                        .ifMatch(target.etag())
                        .metadata(metadata)
                        .tags(tags));
            } catch (StorageException e) {
                if (!isUnreachable(e)) {
                    throw e;
                }
                throughClient(at(from, blob), source, metadata, tags, there, target);
            }
        });
    }

    /** The network of an account may refuse the service of another one, and the emulator has no such copy. */
    private static boolean isUnreachable(StorageException e) {
        return e.failure().status() == NOT_IMPLEMENTED
                || "CannotVerifyCopySource".equals(e.failure().errorCode());
    }

    /** The tags of a frozen blob stay. A service without tags has none. */
    private static Map<String, String> tags(BlobContainer from, String blob) {
        try {
            return from.tags(blob);
        } catch (StorageException e) {
            if (e.failure().status() == NOT_IMPLEMENTED) {
                return Map.of();
            }
            throw e;
        }
    }

    private static void throughClient(
            BlobContainer from,
            BlobPlace source,
            Map<String, String> metadata,
            Map<String, String> tags,
            BlobContainer to,
            BlobPlace target) {
        String blob = source.info().name();
        try (InputStream content =
                from.open(blob, with -> with.ifMatch(source.etag()).asStored())) {
            to.upload(content, blob, with -> with.ifMatch(target.etag())
                    .headers(headers -> source.info().headers().toBuilder())
                    .metadata(metadata)
                    .tags(tags));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean remove(RingEpoch home, BlobPlace version) {
        String blob = version.info().name();
        return done(member(home, blob), () -> at(home, blob).delete(blob, version.etag()));
    }

    @Override
    public void createIfMissing() {
        for (RingMember member : container.ofRegion()) {
            member.call(() -> container.at(member).createIfMissing());
        }
    }

    @Override
    public List<String> accounts() {
        return container.ofRegion().stream().map(RingMember::name).toList();
    }

    /** One list of an account that goes on with each page. */
    private static final class Listing {

        private final Iterator<BlobInfo> blobs;
        private @Nullable String last;

        Listing(Iterator<BlobInfo> blobs, @Nullable String after) {
            this.blobs = blobs;
            this.last = after;
        }

        List<String> next() {
            List<String> page = new ArrayList<>();
            String after = last;
            while (page.size() < PAGE && blobs.hasNext()) {
                String name = blobs.next().name();
                if (after == null || isBehind(name, after)) {
                    page.add(name);
                }
            }
            last = page.isEmpty() ? last : page.get(page.size() - 1);
            return page;
        }

        /** The service has the order of the bytes. */
        private static boolean isBehind(String name, String after) {
            return Arrays.compareUnsigned(name.getBytes(StandardCharsets.UTF_8), after.getBytes(StandardCharsets.UTF_8))
                    > 0;
        }
    }

    @Override
    public List<String> blobs(String account, @Nullable String after) {
        RingMember member = Objects.requireNonNull(container.members().named(account), account);
        return member.call(() -> {
            Listing listing = listings.get(account);
            if (listing == null || !Objects.equals(listing.last, after)) {
                listing = new Listing(container.at(member).stream().iterator(), after);
                listings.put(account, listing);
            }
            List<String> page = listing.next();
            if (page.isEmpty()) {
                listings.remove(account);
            }
            return page;
        });
    }

    @Override
    public boolean moves(String account, String blob) {
        RingMember before = container.before(blob);
        RingMember after = container.after(blob);
        return !before.equals(after)
                && (before.name().equals(account) || after.name().equals(account));
    }
}
