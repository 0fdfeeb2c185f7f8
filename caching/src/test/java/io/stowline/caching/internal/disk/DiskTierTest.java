package io.stowline.caching.internal.disk;

import static io.stowline.caching.internal.disk.Responses.find;
import static io.stowline.caching.internal.disk.Responses.head;
import static io.stowline.caching.internal.disk.Responses.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;

class DiskTierTest {

    @TempDir
    Path folder;

    private DiskTier tier;

    @BeforeEach
    void open() throws IOException {
        tier = DiskTier.open(folder, 10 << 20);
    }

    @AfterEach
    void close() {
        tier.close();
    }

    private void reopen() throws IOException {
        tier.close();
        open();
    }

    @Test
    void findsWhatWasCommitted() throws IOException {
        DiskHead head = new DiskHead(206, Map.of("ETag", "\"1\"", "x-ms-meta-ä", "ü"), 1_234);
        DiskWriter writer = tier.begin("key", head);
        writer.write(Responses.bytes("one "));
        writer.write(Responses.bytes("two"));
        assertThat(tier.find("key")).isNull();

        try (DiskEntry committed = writer.commit();
                DiskEntry found = tier.find("key")) {
            assertThat(committed.head()).isEqualTo(head);
            assertThat(found.head()).isEqualTo(head);
            assertThat(found.length()).isEqualTo(7);
            assertThat(Responses.text(committed)).isEqualTo("one two");
            assertThat(Responses.text(found)).isEqualTo("one two");
        }
        assertThat(tier.find("another")).isNull();
    }

    @Test
    void keepsBodiesOfManyChunksAndOfNone() throws IOException {
        byte[] large = new byte[300_001];
        new Random(1).nextBytes(large);
        DiskWriter writer = tier.begin("large", head("\"1\"", 1));
        for (int at = 0; at < large.length; at += 70_000) {
            writer.write(ByteBuffer.wrap(large, at, Math.min(70_000, large.length - at)));
        }
        writer.commit().close();
        put(tier, "empty", "");

        try (DiskEntry found = tier.find("large")) {
            ByteBuffer all = ByteBuffer.allocate(large.length);
            found.body().doOnNext(all::put).blockLast();
            assertThat(all.array()).isEqualTo(large);
        }
        assertThat(find(tier, "empty")).isEmpty();
    }

    @Test
    void findsNothingOfWhatWasGivenUp() throws IOException {
        DiskWriter writer = Responses.begin(tier, "key", "text");
        writer.abort();
        writer.abort();

        assertThat(tier.find("key")).isNull();
        assertThat(Responses.size(folder)).isZero();
        assertThat(tier.bytes()).isZero();
        assertThatIOException().isThrownBy(() -> writer.write(Responses.bytes("more")));
        assertThatIOException().isThrownBy(writer::commit);
    }

    @Test
    void theLastToCommitCounts() throws IOException {
        DiskWriter first = Responses.begin(tier, "key", "first");
        DiskWriter second = Responses.begin(tier, "key", "second");
        second.commit().close();
        first.commit().close();

        assertThat(find(tier, "key")).isEqualTo("first");
        assertThat(Responses.files(folder, "entry")).hasSize(1);
        reopen();
        assertThat(find(tier, "key")).isEqualTo("first");
    }

    @Test
    void removesEntriesByKeyAndByRule() throws IOException {
        for (String key : new String[] {"a/1", "a/2", "b/1"}) {
            put(tier, key, key);
        }
        tier.remove("a/1");
        tier.remove("never there");
        assertThat(find(tier, "a/1")).isNull();
        tier.removeIf(key -> key.startsWith("a/"));
        assertThat(find(tier, "a/2")).isNull();
        assertThat(find(tier, "b/1")).isEqualTo("b/1");
        reopen();
        assertThat(find(tier, "a/1")).isNull();
        assertThat(find(tier, "b/1")).isEqualTo("b/1");
    }

    @Test
    void whatIsReadGoesOnBeingReadWhenItIsReplacedOrRemoved() throws IOException {
        String old = "old".repeat(100_000);
        put(tier, "key", old);
        try (DiskEntry first = tier.find("key")) {
            put(tier, "key", "new");
            try (DiskEntry second = tier.find("key")) {
                tier.remove("key");
                assertThat(Responses.text(first)).isEqualTo(old);
                assertThat(Responses.text(second)).isEqualTo("new");
                assertThat(tier.bytes()).isGreaterThan(old.length());
            }
        }
        assertThat(tier.bytes()).isZero();
    }

    @Test
    void whatIsReadGoesOnBeingReadAfterTheEnd() throws IOException {
        put(tier, "key", "text");
        DiskEntry open = tier.find("key");
        DiskWriter writer = Responses.begin(tier, "other", "text");
        tier.close();
        tier.close();

        assertThat(Responses.text(open)).isEqualTo("text");
        open.close();
        assertThat(tier.find("key")).isNull();
        tier.validated("key", head(Responses.etag("text"), 2));
        assertThatIOException().isThrownBy(writer::commit).withMessageContaining("closed");
        assertThatIOException().isThrownBy(() -> tier.begin("key", head("\"1\"", 1)));
        assertThat(Responses.files(folder, "tmp")).isEmpty();
    }

    @Test
    void aBodyIsReadFromTheBeginningByEachSubscriberAndNotAfterTheEntryIsClosed() throws IOException {
        put(tier, "key", "text");
        DiskEntry entry = tier.find("key");
        StepVerifier.create(entry.body()).expectNextCount(1).verifyComplete();
        StepVerifier.create(entry.body()).expectNextCount(1).verifyComplete();
        entry.close();
        entry.close();
        StepVerifier.create(entry.body()).verifyError(IOException.class);
    }

    @Test
    void anInterruptOfOneReaderDoesNotEndTheOthers() throws IOException {
        put(tier, "key", "text");
        try (DiskEntry entry = tier.find("key")) {
            Thread.currentThread().interrupt();
            try (DiskEntry found = tier.find("key")) {
                assertThat(found).isNotNull();
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(Responses.text(entry)).isEqualTo("text");
        }
    }

    @Test
    @DisplayName("CACHE-1: a validation gives an entry another head and leaves its body")
    void aValidationChangesTheHead() throws IOException {
        put(tier, "key", "text");
        String etag = Responses.etag("text");
        tier.validated("key", head(etag, 20));
        tier.validated("key", head(etag, 30));
        tier.validated("never there", head(etag, 30));
        for (int i = 0; i < 2; i++) {
            try (DiskEntry entry = tier.find("key")) {
                assertThat(entry.head()).isEqualTo(head(etag, 30));
                assertThat(Responses.text(entry)).isEqualTo("text");
            }
            assertThat(tier.bytes()).isEqualTo(Responses.size(folder));
            reopen();
        }
        put(tier, "key", "text");
        try (DiskEntry entry = tier.find("key")) {
            assertThat(entry.head().validatedAtMillis()).isEqualTo(1);
        }
        assertThat(Responses.files(folder, "head")).isEmpty();
        assertThat(tier.bytes()).isEqualTo(Responses.size(folder));
    }

    @Test
    void aValidationOfAnotherVersionIsIgnored() throws IOException {
        put(tier, "key", "text");
        tier.validated("key", head("\"another\"", 20));
        try (DiskEntry entry = tier.find("key")) {
            assertThat(entry.head().validatedAtMillis()).isEqualTo(1);
        }
    }

    @Test
    void keepsEntriesAcrossRestartsAndLeavesOtherFilesAlone() throws IOException {
        put(tier, "kept", "text");
        Path foreign = Files.writeString(folder.resolve("notes.tmp"), "not ours");
        Path leftover = Files.writeString(
                folder.resolve(DiskName.of("key", 77, DiskName.DiskFileKind.TMP)
                        .in(Path.of(""))
                        .toString()),
                "half");
        Path orphan = Files.writeString(
                folder.resolve(DiskName.of("key", 78, DiskName.DiskFileKind.HEAD)
                        .in(Path.of(""))
                        .toString()),
                "head");
        reopen();
        assertThat(find(tier, "kept")).isEqualTo("text");
        assertThat(foreign).exists();
        assertThat(leftover).doesNotExist();
        assertThat(orphan).doesNotExist();
        assertThat(tier.bytes())
                .isEqualTo(Files.size(Responses.files(folder, "entry").get(0)));
    }

    @Test
    void ofTwoVersionsThatACrashLeftTheLaterOneCounts() throws IOException {
        put(tier, "key", "old");
        Path old = Responses.files(folder, "entry").get(0);
        byte[] content = Files.readAllBytes(old);
        put(tier, "key", "new");
        Files.write(old, content);
        reopen();
        assertThat(find(tier, "key")).isEqualTo("new");
        assertThat(old).doesNotExist();
        put(tier, "key", "newest");
        reopen();
        assertThat(find(tier, "key")).isEqualTo("newest");
    }

    @Test
    void aFileThatWasDeletedByHandIsAMiss() throws IOException {
        put(tier, "key", "text");
        Files.delete(Responses.files(folder, "entry").get(0));
        assertThat(tier.find("key")).isNull();
        assertThat(tier.bytes()).isZero();
    }

    @Test
    void refusesKeysAndHeadersThatAreNoTextOrTooLong() {
        assertThatIOException()
                .isThrownBy(() -> tier.begin("\ud800", head("\"1\"", 1)))
                .withMessageContaining("surrogate");
        assertThatIOException()
                .isThrownBy(() -> tier.begin("k".repeat(2 << 20), head("\"1\"", 1)))
                .withMessageContaining("the limit is 1048576");
        assertThat(tier.find("\ud800")).isNull();
    }
}
