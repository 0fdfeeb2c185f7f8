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
        KeyFormat devices = KeyFormat.forBlobs().withHash(10).text("device");
        String name = KeyFormat.forContainers().withHash(100).uuid("id").format(UUID.randomUUID());
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

    @Test
    @DisplayName("A2: containers and queues are listed by the prefixes of a hash, in the order of all names")
    void containersAndQueues() {
        String run = "r" + System.nanoTime();
        KeyFormat containers =
                KeyFormat.forContainers().withHash(12).text("run").number("n", 2);
        KeyFormat queues = KeyFormat.forQueues().withHash(12).text("run").number("n", 2);
        for (int i = 0; i < 20; i++) {
            storage.container(containers.format(run, i)).create();
            storage.queue(queues.format(run, i)).create();
        }

        List<String> found = storage.listContainers(containers.prefixes(run));
        assertThat(found)
                .hasSize(20)
                .isSorted()
                .containsExactlyElementsOf(storage.listContainers().stream()
                        .filter(name -> name.contains(run))
                        .toList());
        assertThat(storage.reactive().listContainers(containers.prefixes(run)).block())
                .isEqualTo(found);
        assertThat(storage.listQueues(queues.prefixes(run)))
                .hasSize(20)
                .isSorted()
                .isEqualTo(storage.reactive().listQueues(queues.prefixes(run)).block());
        assertThat(storage.listQueues(queues.prefixes("other" + run))).isEmpty();
        for (int i = 0; i < 20; i++) {
            storage.container(containers.format(run, i)).drop();
            storage.queue(queues.format(run, i)).drop();
        }
    }
}
