package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.storage.blob.BlobAsyncClient;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.request.ChangedResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "a-b-c", "photos2026", "$root", "$web", "$logs", "$blobchangefeed", "0a0"})
    void takesNamesOfContainers(String name) {
        assertThat(NameRules.container(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "Photos", "a--b", "-abc", "abc-", "a_b", "a.b", "$else", "fotografía", "abc\n"})
    void refusesOtherNamesOfContainers(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.container(name))
                .withMessageContaining("'" + name.replace("\n", "\\n") + "'")
                .withMessageContaining("3 to 63");
    }

    @Test
    void namesTheContainersOfTheService() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.container("$else"))
                .withMessageContaining("or one of the service's own [$blobchangefeed, $logs, $root, $web]");
    }

    @Test
    void boundsTheLengthOfNamesOfContainers() {
        assertThat(NameRules.container("a".repeat(63))).hasSize(63);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NameRules.container("a".repeat(64)))
                .withMessageContaining("64 characters given");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a b+c%20&d=e?f#g",
                "folder/",
                "//x//y",
                "é 日本語 😀",
                ".hidden",
                "a..b",
                "...",
                "a/.b/c.",
                "%2E%2E",
                "\\"
            })
    void takesNamesOfBlobs(String name) {
        assertThat(BlobNameRules.check(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a/../b", "./a", "a/."})
    void refusesSegmentsThatAddressesLose(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNameRules.check(name))
                .withMessageContaining("'" + name.replace("\n", "\\n") + "'");
    }

    @Test
    void boundsNamesOfBlobs() {
        assertThat(BlobNameRules.check("a".repeat(1_024))).hasSize(1_024);
        assertThat(BlobNameRules.check("a/".repeat(253))).hasSize(506);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNameRules.check("a".repeat(1_025)))
                .withMessageContaining("1 to 1024 characters, not 1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNameRules.check("a/".repeat(254)))
                .withMessageContaining("254 segments");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNameRules.check(""))
                .withMessageContaining("not 0");
    }

    @Test
    void refusesHalfCharacters() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNameRules.check("ab\uD83D"))
                .withMessageContaining("U+D83D")
                .withMessageContaining("at 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNameRules.check("\uDE00a"))
                .withMessageContaining("U+DE00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a b+c%20&d=e?f#g", "folder/", "//x//y", "é 日本語 😀", "%2E%2E", "\\"})
    void addressesAreThoseOfTheSdk(String name) {
        try (StubBlobs blobs = new StubBlobs(requested -> StubBlobs.BlobStubResponse.of(200))) {
            BlobContext present = blobs.scope();
            BlobContext kept = present.at(
                    new BlobContext.RevisionId(BlobContext.RevisionId.SNAPSHOT, "2026-01-01T00:00:00.0000000Z"));
            BlobAsyncClient sdk = present.applicationClient().getBlobAsyncClient(name);

            assertThat(present.address(name)).isEqualTo(ChangedResources.address(sdk.getBlobUrl()));
            assertThat(kept.address(name))
                    .isEqualTo(ChangedResources.address(
                            sdk.getSnapshotClient(kept.revision().id()).getBlobUrl()));
        }
    }
}
