package io.stowline.records.internal.blob;

import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.UnreachableException;
import io.stowline.records.internal.blob.LeasedBlobs.LeasedBlob;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Append blobs in memory whose requests are lost before or after their effect, or land later than the client believes, while other clients
 * take leases, append and delete. Each subscription is carried out at once, on its thread.
 */
final class ModelBlobs {

    /** The end of a process in the middle of its work. */
    static final class Crash extends Error {

        private static final long serialVersionUID = 1L;
    }

    /** A blob as the service has it. */
    static final class Stored {

        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean isAppend = true;

        @Nullable
        String lease;

        int appends;
    }

    final Map<String, Stored> stored = new TreeMap<>();
    final List<String> deleted = new ArrayList<>();
    final List<Runnable> inFlight = new ArrayList<>();
    private final Random random;

    /** The requests in 1,000 that have a fault. */
    int faults;

    /** The steps in 1,000 that are the last of their process. */
    int crashes;

    int maxAppends = Integer.MAX_VALUE;
    int requests;
    int landedLate;
    private int leases;
    private boolean dead;

    ModelBlobs(Random random) {
        this.random = random;
    }

    /** Returns the blobs as a new process sees them. */
    LeasedBlobs client() {
        dead = false;
        return new Client();
    }

    /** Carries out a request that its client has given up. */
    void landOne() {
        if (!inFlight.isEmpty()) {
            inFlight.remove(random.nextInt(inFlight.size())).run();
        }
    }

    void landAll() {
        while (!inFlight.isEmpty()) {
            landOne();
        }
    }

    void crashMaybe() {
        if (dead || random.nextInt(1_000) < crashes) {
            dead = true;
            throw new Crash();
        }
    }

    /** One request of a client: its effect is that of the service, at some time, or never. */
    private void request(boolean late, Runnable effect) {
        requests++;
        if (random.nextInt(4) == 0) {
            landOne();
        }
        crashMaybe();
        if (random.nextInt(1_000) >= faults) {
            effect.run();
            crashMaybe();
            return;
        }
        switch (random.nextInt(late ? 4 : 2)) {
            case 0 -> {}
            case 1 -> quietly(effect);
            case 2 -> later(effect);
            default -> {
                quietly(effect); // and once more, as a retry that is overtaken
                later(effect);
            }
        }
        crashMaybe();
        throw random.nextBoolean()
                ? new UnreachableException(failure(0, null), null)
                : new OutcomeUnknownException(failure(0, null), "lost", null);
    }

    private void later(Runnable effect) {
        inFlight.add(() -> {
            landedLate++;
            quietly(effect);
        });
    }

    private static void quietly(Runnable effect) {
        try {
            effect.run();
        } catch (RuntimeException refused) {
            // Its response is lost, too.
        }
    }

    private static FailureDetails failure(int status, @Nullable String code) {
        return new FailureDetails(
                "append", "ads/blob", status, code, "", 1, status == 0 ? 1 : 0, Duration.ZERO, null, "", "id", "");
    }

    private Stored blob(String name) {
        Stored blob = stored.get(name);
        if (blob == null) {
            throw new NotFoundException(failure(404, "BlobNotFound"), null);
        }
        return blob;
    }

    private void append(String name, String lease, long position, byte[] bytes) {
        Stored blob = blob(name);
        if (!lease.equals(blob.lease)) {
            throw new PreconditionFailedException(failure(412, "LeaseIdMismatchWithBlobOperation"), null);
        }
        if (!blob.isAppend) {
            throw new ConflictException(failure(409, "InvalidBlobType"), null);
        }
        if (blob.bytes.size() != position) {
            throw new PreconditionFailedException(failure(412, "AppendPositionConditionNotMet"), null);
        }
        if (blob.appends >= maxAppends) {
            throw new ConflictException(failure(409, "BlockCountExceedsLimit"), null);
        }
        blob.appends++;
        blob.bytes.writeBytes(bytes);
    }

    void delete(String name) {
        Stored blob = stored.remove(name);
        if (blob != null) {
            deleted.add(blob.bytes.toString(StandardCharsets.UTF_8));
        }
    }

    /** Acts as a foreign client that breaks the lease, appends, and keeps another lease. */
    void foreignAppend(String name, String text) {
        Stored blob = blob(name);
        blob.lease = "foreign";
        blob.bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** One process, whose leases are not renewed after its end. */
    private final class Client implements LeasedBlobs {

        @Override
        public int maxAppend() {
            return 1 << 20;
        }

        @Override
        public Mono<LeasedBlob> begin(String name) {
            return Mono.fromRunnable(() -> request(true, () -> stored.computeIfAbsent(name, absent -> new Stored())))
                    .then(resume(name));
        }

        @Override
        public Mono<LeasedBlob> resume(String name) {
            return Mono.fromSupplier(() -> {
                String lease = "lease-" + leases++;
                request(true, () -> {
                    Stored blob = blob(name);
                    if (!blob.isAppend) {
                        throw new ConflictException(failure(409, "InvalidBlobType"), null);
                    }
                    blob.lease = lease;
                });
                long[] length = new long[1];
                request(false, () -> length[0] = blob(name).bytes.size());
                return new Leased(name, lease, length[0]);
            });
        }
    }

    private final class Leased implements LeasedBlob {

        private final String name;
        private final String lease;
        private long length;
        private int appends;

        Leased(String name, String lease, long length) {
            this.name = name;
            this.lease = lease;
            this.length = length;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public int appends() {
            return appends;
        }

        /** The holder learns late that its lease was broken. */
        @Override
        public boolean isHeld() {
            return random.nextInt(20) > 0;
        }

        @Override
        public Mono<Void> append(byte[] bytes) {
            return Mono.fromRunnable(() -> {
                long at = length;
                request(true, () -> ModelBlobs.this.append(name, lease, at, bytes));
                length += bytes.length;
                appends++;
            });
        }

        @Override
        public Mono<String> md5(long position, long size) {
            return Mono.fromSupplier(() -> {
                byte[][] read = new byte[1][];
                request(
                        false,
                        () -> read[0] = Arrays.copyOfRange(
                                blob(name).bytes.toByteArray(), (int) position, (int) (position + size)));
                return ChunkHash.of(read[0]);
            });
        }

        @Override
        public Mono<Void> release() {
            return Mono.fromRunnable(() -> request(true, () -> {
                Stored blob = blob(name);
                if (lease.equals(blob.lease)) {
                    blob.lease = null;
                }
            }));
        }
    }
}
