package io.stowline.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobInfo;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingContainerTest {

    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);

    private final RingBench bench = new RingBench(3);
    private final RingContainer pictures = bench.ring().container("pictures");

    @BeforeEach
    void create() {
        assertThat(pictures.exists()).isFalse();
        assertThat(pictures.createIfMissing()).isTrue();
        assertThat(pictures.createIfMissing()).isFalse();
        assertThat(pictures.exists()).isTrue();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    @DisplayName("RING-1: a blob is in the account of its name")
    void verbsGoHome(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file"), CONTENT);
        for (int i = 0; i < 10; i++) {
            String blob = "blob-" + i;
            pictures.upload(CONTENT, blob);
            assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> pictures.upload(CONTENT, blob));
            pictures.upload(file, blob, with -> with.overwrite());
            pictures.upload(new ByteArrayInputStream(CONTENT), blob, with -> with.overwrite());
            assertThat(pictures.download(blob)).isEqualTo(CONTENT);
            assertThat(pictures.downloadTo(blob, folder.resolve("copy")).name()).isEqualTo(blob);
            try (InputStream content = pictures.open(blob)) {
                assertThat(content.readAllBytes()).isEqualTo(CONTENT);
            }
            assertThat(pictures.find(blob)).map(BlobInfo::size).contains((long) CONTENT.length);

            String home = pictures.accountOf(blob);
            assertThat(home).isEqualTo(bench.ring().accountOf(blob));
            assertThat(pictures.containerOf(blob).exists(blob)).isTrue();
            for (RingAccount account : bench.ring().accounts()) {
                assertThat(bench.ring()
                                .client(account.name())
                                .container("pictures")
                                .exists(blob))
                        .isEqualTo(account.name().equals(home));
            }
        }
        pictures.delete("blob-1");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> pictures.delete("blob-1"));
        assertThat(pictures.deleteIfExists("blob-1")).isFalse();
        assertThat(pictures.deleteIfExists("blob-2")).isTrue();
        assertThat(pictures.find("blob-2")).isEmpty();
    }

    @Test
    @DisplayName("RING-1: the blobs of all accounts are listed in the order of their names")
    void listsAllAccounts() {
        List<String> names =
                IntStream.range(0, 60).mapToObj(i -> "d" + i % 3 + "/b" + i).toList();
        names.forEach(name -> pictures.upload(CONTENT, name));

        try (Stream<BlobInfo> blobs = pictures.stream()) {
            assertThat(blobs.map(BlobInfo::name))
                    .containsExactlyElementsOf(names.stream().sorted().toList());
        }
        assertThat(pictures.stream("d1/").map(BlobInfo::name)).hasSize(20).isSorted();
    }

    @Test
    @DisplayName("RING-1: blobs of one placement are in one account")
    void thePlacementIsAFunctionOfTheName() {
        RingContainer byFolder = bench.ring().container("pictures", name -> name.substring(0, name.indexOf('/')));
        for (int i = 0; i < 10; i++) {
            byFolder.upload(CONTENT, "folder/" + i);
        }

        assertThat(bench.ring().client(bench.ring().accountOf("folder")).container("pictures").stream())
                .hasSize(10);
        assertThatExceptionOfType(StringIndexOutOfBoundsException.class)
                .isThrownBy(() -> byFolder.upload(CONTENT, "none"));
    }

    @Test
    @DisplayName("RING-2: a failure names its account")
    void aFailureNamesItsAccount() {
        bench.account("a1").refuseNext("GET", "/pictures", 403, "AuthorizationFailure");

        Throwable failure = catchThrowable(() -> pictures.stream().count());

        assertThat(FailedAccountException.accountOf(failure)).contains("a1");
        assertThat(pictures.stream()).isEmpty();
    }

    @Test
    void showsTheLoadOfItsAccounts() {
        assertThat(bench.ring().stats().accounts()).containsOnlyKeys("a0", "a1", "a2");
        assertThat(bench.ring().stats().total().permitLimit())
                .isEqualTo(bench.ring().stats().accounts().values().stream()
                        .mapToLong(RingStats.AccountLoad::permitLimit)
                        .sum())
                .isPositive();
        assertThat(bench.ring().stats().total().permitsInUse()).isZero();
        bench.close();
        assertThat(bench.ring().stats()).isEqualTo(new RingStats(Map.of()));
    }

    @Test
    void dropsInAllAccounts() {
        assertThat(pictures.dropIfExists()).isTrue();
        assertThat(pictures.dropIfExists()).isFalse();
        assertThat(pictures).hasToString("RingContainer[pictures]");
        assertThat(pictures.name()).isEqualTo("pictures");
    }
}
