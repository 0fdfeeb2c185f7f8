package io.stowline.system;

import static io.stowline.blob.BlobTagFilter.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.BlobTagFilter.Match;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

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
        photos.drop();
    }

    @Test
    @DisplayName("B6: a record is metadata, read with one HEAD")
    void metadata() {
        Shot shot = new Shot("Leica", 400, 1.4, Instant.parse("2026-01-02T03:04:05Z"), Optional.empty());
        photos.upload(new byte[1], "a", o -> o.metadataOf(shot));
        assertThat(photos.info("a").metadataAs(Shot.class)).isEqualTo(shot);

        Shot other = new Shot("Rollei", 100, 3.5, shot.taken(), Optional.of("sharp"));
        String etag = photos.setMetadataOf("a", other).etag();
        assertThat(photos.reactive().info("a").block().metadataAs(Shot.class)).isEqualTo(other);
        assertThat(photos.setMetadataOf("a", shot, etag).etag()).isNotEmpty();
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

    @Test
    @DisplayName("B6: a snapshot keeps what the blob was, and becomes the blob again")
    void snapshots() {
        photos.upload(new byte[] {1}, "a", o -> o.metadata(Map.of("state", "old")));
        photos.upload(new byte[] {1}, "ab");
        BlobRevision before = photos.snapshot("a");
        photos.upload(new byte[] {2, 2}, "a", o -> o.overwrite());
        assertThat(before.download()).containsExactly(1);
        assertThat(before.info().metadata()).containsEntry("state", "old");
        assertThat(photos.download("a")).containsExactly(2, 2);
        try (Stream<BlobRevision> all = photos.revisions("a")) {
            assertThat(all.map(BlobRevision::id)).containsExactly(before.id());
        }

        before.promote();
        assertThat(photos.download("a")).containsExactly(1);
        assertThat(photos.info("a").metadata()).containsEntry("state", "old");

        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> photos.delete("a"));
        before.delete();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(before::download);
        photos.snapshot("a");
        photos.snapshot("a");
        photos.deleteSnapshots("a");
        photos.snapshot("a");
        photos.deleteWithSnapshots("a");
        assertThat(photos.exists("a")).isFalse();
    }

    @Test
    @DisplayName("B6: batches delete and move blobs, and the cache forgets what they deleted")
    void batches() {
        List<String> names =
                IntStream.range(0, 30).mapToObj(i -> "d/n " + i + "+%").toList();
        Flux.fromIterable(names)
                .flatMap(name -> photos.reactive().upload(new byte[] {1}, name), 8)
                .blockLast();
        photos.upload(new byte[] {1}, "kept");
        photos.snapshot("kept");
        CachedContainer cached = photos.cached(Freshness.fresh(Duration.ofHours(1)));
        assertThat(cached.download(names.get(7)).value()).isPresent();

        assertThat(photos.setTierOfAll(List.of("kept", names.get(0)), AccessTier.COOL))
                .extracting(Item::action)
                .containsExactly(Action.MOVED, Action.MOVED);
        assertThat(photos.unwrap()
                        .getBlobAsyncClient("kept")
                        .getProperties()
                        .block()
                        .getAccessTier())
                .isEqualTo(AccessTier.COOL);
        List<Item> ends = photos.deleteAll(List.of(names.get(7), "missing", "kept"));
        assertThat(ends).extracting(Item::action).containsExactly(Action.DELETED, Action.SKIPPED, Action.FAILED);
        assertThat(cached.download(names.get(7)).value()).isEmpty();

        assertThat(photos.deleteDirectory("d/", o -> o).join().deleted()).isEqualTo(29);
        try (Stream<BlobInfo> left = photos.stream()) {
            assertThat(left.map(BlobInfo::name)).containsExactly("kept");
        }
    }

    private AccessTier tier() {
        return photos.unwrap().getBlobAsyncClient("a").getProperties().block().getAccessTier();
    }
}
