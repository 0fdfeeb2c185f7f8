package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.specialized.PageBlobClient;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobLease;
import io.stowline.blob.PageBlob;
import io.stowline.blob.PageBlobSettings.FileUpload;
import io.stowline.blob.PageRange;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.testkit.RequestMatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Page blobs: pages at any position, files without their zeros, channels. */
@Timeout(120)
class PageBlobIT extends StorageTest {

    private static final int PAGE = 512;
    private static final int MIB = 1 << 20;
    private static final RequestMatch WRITES =
            RequestMatch.requests().method("PUT").query("comp", "page");

    private BlobContainer disks;

    @TempDir
    private Path folder;

    @BeforeEach
    void create() {
        disks = storage.container(freshName());
        disks.create();
    }

    @AfterEach
    void remove() {
        disks.dropIfExists();
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static List<PageRange> ranges(PageBlob disk) {
        try (Stream<PageRange> all = disk.ranges()) {
            return all.toList();
        }
    }

    /** Returns the ranges with those that touch made one. */
    private static List<PageRange> joined(List<PageRange> ranges) {
        List<PageRange> joined = new ArrayList<>();
        for (PageRange next : ranges) {
            PageRange last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (last != null && last.end() == next.offset()) {
                joined.set(joined.size() - 1, new PageRange(last.offset(), last.length() + next.length()));
            } else {
                joined.add(next);
            }
        }
        return joined;
    }

    @Test
    void createsWritesClearsAndResizes() {
        PageBlob disk = disks.pageBlob("disk.vhd");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> disk.write(0, new byte[PAGE]));
        disk.create(8 * MIB, o -> o.metadata(Map.of("owner", "me")).sequenceNumber(3));

        assertThat(disk.info().size()).isEqualTo(8 * MIB);
        assertThat(disk.info().sequenceNumber()).isEqualTo(3);
        assertThat(disk.info().blob().metadata()).isEqualTo(Map.of("owner", "me"));
        assertThat(disks.info("disk.vhd").type()).isEqualTo(BlobType.PAGE_BLOB);
        assertThat(disk.createIfMissing(PAGE)).isFalse();
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> disk.create(PAGE));
        assertThat(ranges(disk)).isEmpty();

        byte[] some = bytes(2 * PAGE, 1);
        assertThat(disk.write(PAGE, some).etag()).isEqualTo(disk.info().blob().etag());
        assertThat(disk.read(0, 4 * PAGE))
                .startsWith(new byte[PAGE])
                .containsSequence(some)
                .endsWith(new byte[PAGE]);
        assertThat(disk.read(PAGE + 1, 3)).isEqualTo(Arrays.copyOfRange(some, 1, 4));
        assertThat(ranges(disk)).containsExactly(new PageRange(PAGE, 2 * PAGE));

        assertThat(disk.clear(PAGE, PAGE).outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(ranges(disk)).containsExactly(new PageRange(2 * PAGE, PAGE));
        disk.resize(2 * PAGE);
        assertThat(disk.info().size()).isEqualTo(2 * PAGE);
        assertThat(disk.read(0, 9 * PAGE)).isEqualTo(new byte[2 * PAGE]);

        disk.create(PAGE, o -> o.overwrite());
        assertThat(disk.info().size()).isEqualTo(PAGE);
        disks.upload(new byte[3], "block");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disks.pageBlob("block").createIfMissing(PAGE))
                .withMessageContaining("BlockBlob of this name, to which no pages can be written");
    }

    @Test
    void sequenceNumbersShutOutOlderWriters() {
        PageBlob disk = disks.pageBlob("disk");
        disk.create(MIB);
        disk.setSequenceNumber(5);
        PageBlob fenced = disk.ifSequenceNumberEqual(5);
        fenced.write(0, bytes(PAGE, 1));
        disk.ifSequenceNumberLess(6).clear(0, PAGE);

        disk.raiseSequenceNumber(6);
        disk.raiseSequenceNumber(2);

        assertThat(disk.reactive().info().block().sequenceNumber()).isEqualTo(6);
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> fenced.write(0, bytes(PAGE, 1)))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("SequenceNumberConditionNotMet"));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> disk.ifSequenceNumberLessOrEqual(5).clear(0, PAGE));
        disk.reactive().ifSequenceNumberLessOrEqual(6).write(0, bytes(PAGE, 1)).block();
        assertThat(disk.read(0, PAGE)).isEqualTo(bytes(PAGE, 1));
    }

    @Test
    void theSdkSeesTheSame() {
        PageBlob disk = disks.pageBlob("disk");
        disk.create(MIB, o -> o.sequenceNumber(9));
        disk.write(3 * PAGE, bytes(2 * PAGE, 4));
        PageBlobClient sdk = new BlobServiceClientBuilder()
                .connectionString(connectionString())
                .buildClient()
                .getBlobContainerClient(disks.name())
                .getBlobClient("disk")
                .getPageBlobClient();

        assertThat(sdk.getProperties().getBlobSequenceNumber()).isEqualTo(9);
        assertThat(sdk.downloadContent().toBytes()).isEqualTo(disk.read(0, MIB));
        assertThat(sdk.listPageRanges(new BlobRange(0)).stream()
                        .map(item -> new PageRange(
                                item.getRange().getOffset(), item.getRange().getLength())))
                .containsExactlyElementsOf(ranges(disk));
        sdk.uploadPages(
                new com.azure.storage.blob.models.PageRange().setStart(0).setEnd(PAGE - 1),
                new ByteArrayInputStream(bytes(PAGE, 6)));
        assertThat(disk.read(0, PAGE)).isEqualTo(bytes(PAGE, 6));
        assertThat(ranges(disk)).containsExactly(new PageRange(0, PAGE), new PageRange(3 * PAGE, 2 * PAGE));
    }

    @Test
    @DisplayName("LEASE-1: writes of a leased blob name the lease, and others are refused")
    void namesALease() {
        PageBlob disk = disks.pageBlob("disk");
        disk.create(MIB);
        try (BlobLease lease = disks.lease("disk", Duration.ofSeconds(30))) {
            PageBlob leased = disks.withLease(lease).pageBlob("disk");
            leased.write(0, bytes(PAGE, 1));
            leased.clear(PAGE, PAGE);
            leased.resize(2 * MIB);
            leased.setSequenceNumber(1);
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> disk.write(0, bytes(PAGE, 2)))
                    .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("LeaseIdMissing"));
        }
        assertThat(disk.read(0, PAGE)).isEqualTo(bytes(PAGE, 1));
        assertThat(disk.info().size()).isEqualTo(2 * MIB);
    }

    @Test
    @DisplayName("MAP-3: what is not aligned is refused before it is sent, with its value and the rule")
    void refusesWhatIsNotAligned() {
        PageBlob disk = disks.pageBlob("disk");
        proxy().awaitIdle(Duration.ofSeconds(20));
        int before = proxy().recorded().size();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.create(1000))
                .withMessage("the size is 1000: with page blobs it is a multiple of 512, the size of a page, and not"
                        + " negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.write(100, new byte[PAGE]))
                .withMessageContaining("the offset is 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.write(0, new byte[100]))
                .withMessageContaining("the length is 100");
        assertThatIllegalArgumentException().isThrownBy(() -> disk.write(0, new byte[0]));
        assertThatIllegalArgumentException().isThrownBy(() -> disk.clear(0, PAGE + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> disk.clear(-PAGE, PAGE));
        assertThatIllegalArgumentException().isThrownBy(() -> disk.resize(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.resize((8L << 40) + PAGE))
                .withMessageContaining("8796093022208, the limit of a page blob");
        assertThatIllegalArgumentException().isThrownBy(() -> disk.setSequenceNumber(-1));
        assertThat(proxy().recorded()).hasSize(before);
    }

    @RepeatedTest(4)
    @DisplayName("writes, clears, reads and sizes do to the blob what they do to an array")
    void isLikeAnArray(RepetitionInfo repetition) {
        Random random = new Random(20261128 + repetition.getCurrentRepetition());
        PageBlob disk = disks.pageBlob("disk");
        int pages = 64;
        byte[] model = new byte[pages * PAGE];
        disk.create(model.length);
        for (int step = 0; step < 60; step++) {
            int all = model.length / PAGE;
            int from = random.nextInt(all);
            int count = 1 + random.nextInt(Math.min(16, all - from));
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    byte[] some = bytes(count * PAGE, step);
                    disk.write((long) from * PAGE, some);
                    System.arraycopy(some, 0, model, from * PAGE, some.length);
                }
                case 2 -> {
                    disk.clear((long) from * PAGE, (long) count * PAGE);
                    Arrays.fill(model, from * PAGE, (from + count) * PAGE, (byte) 0);
                }
                case 3 -> {
                    int at = random.nextInt(model.length);
                    int length = 1 + random.nextInt(model.length - at);
                    assertThat(disk.read(at, length)).isEqualTo(Arrays.copyOfRange(model, at, at + length));
                }
                default -> {
                    int size = 1 + random.nextInt(pages);
                    disk.resize((long) size * PAGE);
                    model = Arrays.copyOf(model, size * PAGE);
                }
            }
        }
        assertThat(disk.read(0, model.length)).isEqualTo(model);
        for (PageRange hole : holes(ranges(disk), model.length)) {
            assertThat(Arrays.copyOfRange(model, (int) hole.offset(), (int) hole.end()))
                    .containsOnly(0);
        }
    }

    private static List<PageRange> holes(List<PageRange> used, long size) {
        List<PageRange> holes = new ArrayList<>();
        long at = 0;
        for (PageRange range : used) {
            if (range.offset() > at) {
                holes.add(new PageRange(at, range.offset() - at));
            }
            at = range.end();
        }
        if (at < size) {
            holes.add(new PageRange(at, size - at));
        }
        return holes;
    }

    @Test
    void writesMoreThanOneRequestTakes() {
        PageBlob disk = disks.pageBlob("disk");
        disk.create(16 * MIB);
        byte[] many = bytes(9 * MIB + PAGE, 9);
        proxy().clear();

        assertThat(disk.write(MIB, many).etag()).isEmpty();

        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(proxy().recorded(WRITES).stream()
                        .map(exchange -> exchange.request().header("x-ms-range")))
                .containsExactlyInAnyOrder("bytes=1048576-5242879", "bytes=5242880-9437183", "bytes=9437184-10486271");
        assertThat(disk.read(MIB, many.length)).isEqualTo(many);
    }

    /** A file of holes with some data. */
    private Path sparse(long size, int pieces, int pieceBytes) throws IOException {
        Path file = folder.resolve("disk.img");
        Random random = new Random(7);
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(size);
            for (int i = 0; i < pieces; i++) {
                out.seek(random.nextInt((int) (size - pieceBytes)));
                out.write(bytes(pieceBytes, i));
            }
        }
        return file;
    }

    @Test
    void filesTravelWithoutTheirZeros() throws Exception {
        Path file = sparse(64 * MIB, 8, 100_000);
        PageBlob disk = disks.pageBlob("disk");

        FileUpload upload = disk.upload(file, o -> o.metadata(Map.of("a", "b")));

        assertThat(upload.bytesSent()).isBetween(700_000L, 8 * 102_000L);
        assertThat(upload.bytesResumed()).isZero();
        assertThat(upload.blob().size()).isEqualTo(64 * MIB);
        assertThat(upload.blob().blob().metadata()).isEqualTo(Map.of("a", "b"));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disk.upload(file))
                .withMessageContaining("there is a blob of this name");
        proxy().clear();
        Path back = folder.resolve("back.img");
        disk.downloadTo(back);
        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
        assertThat(proxy().recorded(RequestMatch.requests().method("GET")).size())
                .as("ranges of a MiB in use, the first and the last one, and the listing")
                .isLessThanOrEqualTo(8 * 2 + 3);

        Files.write(file, bytes(PAGE, 5));
        assertThat(disk.reactive()
                        .upload(file, o -> o.overwrite())
                        .block()
                        .blob()
                        .size())
                .isEqualTo(PAGE);
        assertThat(disk.read(0, MIB)).isEqualTo(bytes(PAGE, 5));
        Files.write(file, new byte[100]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disks.pageBlob("other").upload(file))
                .withMessageContaining("disk.img is 100: with page blobs it is a multiple of 512");
    }

    @RepeatedTest(2)
    @DisplayName("a channel does to the blob what a file's channel does to a file")
    void channelsAreLikeThoseOfFiles(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        int size = 3 * MIB + 5 * PAGE;
        PageBlob disk = disks.pageBlob("disk");
        disk.create(size);
        Path file = folder.resolve("model");
        Files.write(file, new byte[size]);
        try (SeekableByteChannel ours = disk.channel();
                FileChannel model = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(ours.size()).isEqualTo(size);
            for (int step = 0; step < 80; step++) {
                if (random.nextInt(3) == 0) {
                    int to = random.nextInt(size);
                    ours.position(to);
                    model.position(to);
                }
                int length = 1 + random.nextInt(random.nextBoolean() ? 700 : 300_000);
                if (random.nextBoolean()) {
                    byte[] some = bytes((int) Math.min(length, size - model.position()), step);
                    assertThat(ours.write(ByteBuffer.wrap(some))).isEqualTo(model.write(ByteBuffer.wrap(some)));
                } else {
                    ByteBuffer wanted = ByteBuffer.allocate(length);
                    model.read(wanted);
                    ByteBuffer seen = ByteBuffer.allocate(length);
                    while (seen.position() < wanted.position() && ours.read(seen) > 0) {
                        assertThat(seen.position()).isPositive();
                    }
                    assertThat(seen).isEqualTo(wanted);
                }
                assertThat(ours.position()).isEqualTo(model.position());
            }
            ours.position(size - 1);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> ours.write(ByteBuffer.wrap(new byte[2])))
                    .withMessageContaining("resize it first");
        }
        assertThat(disk.read(0, size)).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void channelsMakeTheBlobShorter() throws Exception {
        PageBlob disk = disks.pageBlob("disk");
        disk.create(MIB);
        try (SeekableByteChannel channel = disk.channel()) {
            channel.write(ByteBuffer.wrap(bytes(MIB, 1)));
            assertThatIllegalArgumentException().isThrownBy(() -> channel.truncate(5));
            channel.truncate(PAGE);
            assertThat(channel.position()).isEqualTo(PAGE);
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(disk.read(0, MIB)).isEqualTo(Arrays.copyOf(bytes(MIB, 1), PAGE));
        assertThat(joined(ranges(disk))).containsExactly(new PageRange(0, PAGE));
    }
}
