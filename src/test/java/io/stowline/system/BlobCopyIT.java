package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobCopy;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies by the service, as far as the emulator has them. */
@Timeout(120)
class BlobCopyIT extends StorageTest {

    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);

    private BlobContainer photos;

    @BeforeEach
    void upload() {
        photos = storage.container(freshName());
        photos.create();
        photos.upload(CONTENT, "a b", o -> o.contentType("text/plain").metadata(Map.of("k", "v")));
    }

    @AfterEach
    void drop() {
        photos.dropIfExists();
    }

    @Test
    @DisplayName(
            "B3, COPY-1: a copy on the schedule of the service has content, headers and metadata of its source, and"
                    + " replaces nothing")
    void startsACopy() {
        BlobCopy copy = photos.startCopy(photos, "a b", "t/a b");

        assertThat(copy.join().size()).isEqualTo(CONTENT.length);
        assertThat(copy.progress().status()).isEqualTo(CopyStatusType.SUCCESS);
        assertThat(copy.progress().bytesDone()).isEqualTo(CONTENT.length);
        assertThat(copy.join(Duration.ofSeconds(1))).isPresent();
        assertThat(copy.abort()).isFalse();
        assertThat(photos.download("t/a b")).isEqualTo(CONTENT);
        assertThat(photos.info("t/a b").metadata()).containsExactly(Map.entry("k", "v"));
        assertThat(photos.info("t/a b").headers().contentType()).isEqualTo("text/plain");
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.startCopy(photos, "a b", "t/a b"));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.startCopy(photos, "none", "t/none"));
        assertThat(photos.exists("t/none")).isFalse();
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.startCopy(photos, "a b", "t/b", o -> o.sourceIfMatch("\"0x0\"")));
        assertThat(photos.exists("t/b")).isFalse();
    }

    @Test
    @DisplayName("COPY-2: after a lost response to the start the copy is found by its mark")
    void losesTheStart() {
        proxy().when(requests()
                        .method("PUT")
                        .header("x-ms-copy-source", source -> true)
                        .times(1))
                .loseResponse();

        BlobCopy copy = photos.startCopy(photos, "a b", "lost");

        assertThat(copy.id()).isNotEmpty();
        assertThat(copy.join().size()).isEqualTo(CONTENT.length);
        assertThat(photos.info("lost").metadata()).containsExactly(Map.entry("k", "v"));
    }

    @Test
    @DisplayName("the emulator has no copy in one step, and leaves no blob after refusing one")
    void refuses() {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> photos.copyFrom(photos, "a b", "t"))
                .satisfies(e -> assertThat(e.failure().status()).isEqualTo(501));
        assertThat(photos.exists("t")).isFalse();
        assertThat(photos.copyDirectory("s/", photos, "x/", o -> o).join().transferred())
                .isZero();
    }
}
