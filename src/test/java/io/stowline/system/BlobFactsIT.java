package io.stowline.system;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobTagFilter.Match;
import io.stowline.error.PreconditionFailedException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Metadata as records, tags and tiers on Azurite. */
@Timeout(120)
class BlobFactsIT extends StorageTest {

    private BlobContainer photos;

    public record Shot(String camera, int iso, double aperture, Instant taken, Optional<String> comment) {}

    @BeforeEach
    void create() {
        photos = storage.container("facts" + UUID.randomUUID());
        photos.create();
    }

    @AfterEach
    void remove() {
        photos.deleteContainer();
    }

    @Test
    @DisplayName("B6: a record is metadata, read with one HEAD")
    void metadata() {
        Shot shot = new Shot("Leica", 400, 1.4, Instant.parse("2026-01-02T03:04:05Z"), Optional.empty());
        photos.upload(new byte[1], "a", o -> o.metadataOf(shot));
        assertThat(photos.properties("a").metadataAs(Shot.class)).isEqualTo(shot);

        Shot other = new Shot("Rollei", 100, 3.5, shot.taken(), Optional.of("sharp"));
        String etag = photos.setMetadataOf("a", other);
        assertThat(photos.reactive().properties("a").block().metadataAs(Shot.class))
                .isEqualTo(other);
        assertThat(photos.setMetadataOf("a", shot, etag)).isNotEmpty();
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.setMetadataOf("a", shot, etag));
    }

    @Test
    @DisplayName("B6: blobs are found by their tags, and conditions on tags hold")
    void tags() {
        photos.upload(new byte[1], "a", o -> o.tags(Map.of("state", "draft", "size", "01")));
        photos.upload(new byte[1], "b", o -> o.tags(Map.of("state", "draft", "size", "02")));
        photos.setTags("b", Map.of("state", "done", "size", "02"));
        assertThat(photos.tags("a")).isEqualTo(Map.of("state", "draft", "size", "01"));

        try (Stream<Match> found =
                photos.findByTags(tag("state").equalTo("draft").and(tag("size").lessThan("02")))) {
            assertThat(found.map(Match::name)).containsExactly("a");
        }
        assertThat(photos.reactive()
                        .findByTags(tag("size").atLeast("01"))
                        .map(Match::name)
                        .collectList()
                        .block())
                .containsExactlyInAnyOrder("a", "b");

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.delete("b", tag("state").equalTo("draft")));
        photos.upload(new byte[2], "a", o -> o.overwrite().ifTags(tag("state").equalTo("draft")));
        photos.setTags("b", Map.of(), tag("state").equalTo("done"));
        assertThat(photos.tags("b")).isEmpty();
        photos.delete("b");
    }

    @Test
    @DisplayName("B6: a blob has the tier of its upload until it moves")
    void tiers() {
        photos.upload(new byte[1], "a", o -> o.tier(AccessTier.COOL));
        assertThat(tier()).isEqualTo(AccessTier.COOL);
        photos.setTier("a", AccessTier.HOT);
        assertThat(tier()).isEqualTo(AccessTier.HOT);
    }

    private AccessTier tier() {
        return photos.unwrap().getBlobAsyncClient("a").getProperties().block().getAccessTier();
    }
}
