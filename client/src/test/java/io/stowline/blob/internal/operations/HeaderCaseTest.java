package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metadata whose header names have the case that a proxy gives them. */
@Timeout(60)
class HeaderCaseTest {

    private static final String TIME = "2020-01-01T00:00:00Z";

    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.of(200));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-ms-meta-", "X-Ms-Meta-", "X-MS-META-", "x-ms-Meta-"})
    @DisplayName("WORLD-3: metadata are read, and kept by the next write, in whatever case their headers come")
    void anyCase(String prefix) {
        blobs.respond(requested -> requested.method().equals("HEAD")
                ? BlobStubResponse.of(200)
                        .with("x-ms-blob-type", "BlockBlob")
                        .with(prefix + "author", "me")
                        .with(prefix + "stowlinemodified", TIME)
                : BlobStubResponse.of(200));

        assertThat(photos.info("a").metadata()).containsExactly(Map.entry("author", "me"));
        assertThat(photos.find("a").orElseThrow().metadata()).containsOnlyKeys("author");
        assertThat(photos.reactive().info("a").block().metadata()).containsOnlyKeys("author");
        assertThat(photos.cached(Freshness.revalidated()).info("a").get().metadata())
                .containsOnlyKeys("author");

        Map<String, String> more = new TreeMap<>(photos.info("a").metadata());
        more.put("fresh", "1");
        photos.setMetadata("a", more);
        StubRequest set = blobs.requested("PUT", "metadata").get(0);
        assertThat(set.header("x-ms-meta-author")).isEqualTo("me");
        assertThat(set.header("x-ms-meta-fresh")).isEqualTo("1");
        assertThat(set.header("x-ms-meta-stowlinemodified")).startsWith("2020-01-01T00:00:00");
    }
}
