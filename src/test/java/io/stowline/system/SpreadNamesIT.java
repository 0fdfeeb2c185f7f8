package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.projection.key.KeyFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

/** Hashed names of blobs and of a container on Azurite. */
@Timeout(120)
class SpreadNamesIT extends StorageTest {

    @Test
    @DisplayName("A2: the listing over all prefixes of a hash is the listing of the container")
    void listing() {
        KeyFormat devices = KeyFormat.hashed(10).text("device");
        String name = KeyFormat.separatedBy('-')
                .withHash(100)
                .text("container")
                .format("c" + UUID.randomUUID().toString().replace("-", ""));
        BlobContainer photos = storage.container(name);
        photos.create();
        Flux.range(0, 100)
                .flatMap(i -> photos.reactive().upload(new byte[] {1}, devices.format("device" + i)), 8)
                .blockLast();

        try (Stream<BlobInfo> all = photos.stream();
                Stream<BlobInfo> spread = photos.stream(devices.prefixes())) {
            List<String> names = all.map(BlobInfo::name).toList();
            assertThat(names).hasSize(100);
            assertThat(spread.map(BlobInfo::name)).containsExactlyElementsOf(names);
        }
        photos.drop();
    }
}
