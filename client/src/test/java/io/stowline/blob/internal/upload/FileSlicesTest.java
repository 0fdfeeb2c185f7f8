package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.stowline.transport.internal.http.BodySlices;
import io.stowline.transport.internal.http.BodySlices.UnreadableBodyException;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.PlayedFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.subscriber.TestSubscriber;

/** A body that lies in a file: when its slices are read, what memory they hold and who frees it. */
class FileSlicesTest {

    private static final int SLICE = RequestBody.SLICE;
    private static final int LENGTH = 8 * SLICE + 17;

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
    private final AtomicInteger heard = new AtomicInteger();
    private final PlayedFile file = new PlayedFile(LENGTH);

    private BodySlices slices() {
        return file.body().slices(memory, heard::incrementAndGet);
    }

    private long used() {
        return memory.metric().usedDirectMemory();
    }

    private static byte[] taken(ByteBuf slice) {
        byte[] bytes = new byte[slice.readableBytes()];
        slice.readBytes(bytes);
        slice.release();
        return bytes;
    }

    private byte[] all(BodySlices slices) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (slices.hasNext()) {
            ByteBuf slice = slices.next();
            if (slice == null) {
                file.spin();
            } else {
                all.write(taken(slice));
            }
        }
        return all.toByteArray();
    }

    @Test
    @DisplayName("a slow disk: a slice that is not there yet is announced once, when it is")
    void aSlowDisk() {
        BodySlices slices = slices();
        assertThat(file.waits()).as("reads before the first slice is wanted").isFalse();

        assertThat(slices.next()).isNull();
        assertThat(slices.next()).isNull();
        assertThat(heard).hasValue(0);
        file.spin();
        assertThat(heard).hasValue(1);
        assertThat(taken(slices.next())).isEqualTo(Arrays.copyOf(file.content(), SLICE));
        for (int more = 1; more < FileBody.AHEAD; more++) {
            assertThat(taken(slices.next())).hasSize(SLICE);
        }
        assertThat(slices.next()).isNull();
        assertThat(slices.hasNext()).isTrue();
        file.spin();
        assertThat(heard).hasValue(2);
        slices.close();
    }

    @Test
    @DisplayName("TRANSFER-3: no more than four slices are read ahead, and others once half of them are taken")
    void readsAheadALittle() {
        BodySlices slices = slices();
        assertThat(slices.next()).isNull();
        file.spin();
        assertThat(file.reads()).isEqualTo(4);
        assertThat(used()).isEqualTo(4 * SLICE);
        taken(slices.next());
        assertThat(file.waits()).isFalse();
        taken(slices.next());
        assertThat(file.waits()).isTrue();
        assertThat(used()).isEqualTo(4 * SLICE);
        slices.close();
        file.spin();
        assertThat(used()).isZero();
        assertThat(file.reads()).isEqualTo(4);
    }

    @Property(tries = 100)
    @Label("all bytes come in their order, whatever the length, the part and the pace of the disk")
    void bytesInOrder(
            @ForAll @IntRange(min = (128 << 10) + 1, max = 700_000) int length,
            @ForAll @IntRange(max = 100_000) int before,
            @ForAll @IntRange(min = 1, max = 5) int pace)
            throws IOException {
        PlayedFile longer = new PlayedFile(before + length + 3);
        BodySlices slices = longer.body(before, length).slices(memory, heard::incrementAndGet);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int round = 0; slices.hasNext(); round++) {
            ByteBuf slice = slices.next();
            if (slice != null) {
                all.write(taken(slice));
            }
            if (round % pace == 0) {
                longer.spin();
            }
        }
        assertThat(all.toByteArray()).isEqualTo(Arrays.copyOfRange(longer.content(), before, before + length));
        assertThat(slices.next()).isNull();
        assertThat(used()).isZero();
        assertThat(longer.waits()).isFalse();
    }

    @Test
    @DisplayName("TRANSFER-1: a file that is cut while it is sent ends the attempt with the error of the file")
    void aTruncatedFile() {
        BodySlices slices = slices();
        assertThat(slices.next()).isNull();
        file.spin();
        file.truncate(6 * SLICE);
        for (int whole = 0; whole < 4; whole++) {
            taken(slices.next());
            file.spin();
        }
        assertThatExceptionOfType(UnreadableBodyException.class)
                .isThrownBy(slices::next)
                .withRootCauseInstanceOf(IOException.class);
        slices.close();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("an attempt that cannot read its file says so to a connection that waits, and frees all")
    void anUnreadableFile() {
        file.truncate(SLICE + 1);
        BodySlices slices = slices();
        assertThat(slices.next()).isNull();
        file.spin();
        assertThat(heard).hasValue(1);
        assertThatExceptionOfType(UnreadableBodyException.class)
                .isThrownBy(slices::next)
                .satisfies(e -> assertThat(e.thrown())
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessage("upload c/b: the file was cut"));
        slices.close();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("an attempt begins with a look at the file and its first byte")
    void eachAttemptBeginsAgain() throws IOException {
        BodySlices first = slices();
        assertThat(first.next()).isNull();
        file.spin();
        taken(first.next());
        first.close();
        file.spin();

        assertThat(all(slices())).isEqualTo(file.content());
        assertThat(file.checks()).isEqualTo(2);
        file.change();
        BodySlices third = slices();
        assertThat(third.next()).isNull();
        file.spin();
        assertThatExceptionOfType(UnreadableBodyException.class)
                .isThrownBy(third::next)
                .withMessageContaining("the file was modified");
        third.close();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("a close while the disk reads does not wait: the read frees its memory when it ends")
    void aCloseDuringARead() {
        PlayedFile[] played = new PlayedFile[1];
        BodySlices[] open = new BodySlices[1];
        FileBody.FileBodySource closing = new FileBody.FileBodySource() {
            @Override
            public void read(ByteBuffer target, long position) throws IOException {
                open[0].close();
                played[0].read(target, position);
            }

            @Override
            public void check() {}

            @Override
            public RuntimeException failure(IOException error) {
                return new UncheckedIOException(error);
            }
        };
        played[0] = file;
        Runnable[] work = new Runnable[1];
        open[0] = new FileBody(closing, 0, LENGTH, task -> work[0] = task).slices(memory, heard::incrementAndGet);
        assertThat(open[0].next()).isNull();
        work[0].run();

        assertThat(file.reads()).isOne();
        assertThat(heard).hasValue(0);
        assertThat(open[0].hasNext()).isFalse();
        assertThat(open[0].next()).isNull();
        open[0].close();
        assertThat(used()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("whatever a file system throws ends the attempt")
    void whatAFileSystemThrows(boolean fatal) {
        FileBody.FileBodySource broken = new FileBody.FileBodySource() {
            @Override
            public void read(ByteBuffer target, long position) {
                if (fatal) {
                    throw new NoClassDefFoundError("of the file system");
                }
                throw new IllegalStateException("of the file system");
            }

            @Override
            public void check() {}

            @Override
            public RuntimeException failure(IOException error) {
                return new UncheckedIOException(error);
            }
        };
        BodySlices slices = new FileBody(broken, 0, LENGTH, Runnable::run).slices(memory, heard::incrementAndGet);
        assertThat(slices.next()).isNull();
        assertThatExceptionOfType(UnreadableBodyException.class)
                .isThrownBy(slices::next)
                .satisfies(e -> assertThat(e.thrown())
                        .isInstanceOf(IllegalStateException.class)
                        .hasStackTraceContaining("of the file system"));
        assertThat(heard).hasValue(1);
        slices.close();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("another HTTP client reads no piece that it has not requested")
    void piecesOnDemand() {
        TestSubscriber<ByteBuffer> client =
                TestSubscriber.builder().initialRequest(0).build();
        file.body().pieces(SLICE).subscribe(client);
        file.spin();
        assertThat(file.reads()).isZero();
        client.request(1);
        file.spin();
        assertThat(client.getReceivedOnNext()).containsExactly(ByteBuffer.wrap(file.content(), 0, SLICE));
        file.truncate(SLICE);
        client.request(2);
        file.spin();
        assertThat(client.expectTerminalError()).isInstanceOf(UnreadableBodyException.class);
        assertThat(file.reads()).isOne();
    }

    @Test
    void allAtOnce() {
        assertThat(file.body(3, LENGTH - 5).bytes()).isEqualTo(Arrays.copyOfRange(file.content(), 3, LENGTH - 2));
        assertThatIllegalArgumentException().isThrownBy(() -> file.body(0, 128 << 10));
    }
}
