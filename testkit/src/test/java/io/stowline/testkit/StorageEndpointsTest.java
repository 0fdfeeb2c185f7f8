package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StorageEndpointsTest {

    @Test
    void readsWhatIsSpelledOut() {
        StorageEndpoints endpoints = new StorageEndpoints(
                " TableEndpoint=http://127.0.0.1:3/a ;BlobEndpoint=http://127.0.0.1:1/a?x=y=z;AccountKey=a2V5==;;"
                        .replace(" ;", ";"));

        assertThat(endpoints.http())
                .containsExactly(
                        entry(StorageService.BLOB, URI.create("http://127.0.0.1:1/a?x=y=z")),
                        entry(StorageService.TABLE, URI.create("http://127.0.0.1:3/a")));
        assertThat(endpoints.at(Map.of(StorageService.TABLE, 9)))
                .isEqualTo(
                        "TableEndpoint=http://127.0.0.1:9/a;BlobEndpoint=http://127.0.0.1:1/a?x=y=z;AccountKey=a2V5==;");
    }

    @Test
    void spellsOutTheShortFormForAnEmulator() {
        StorageEndpoints endpoints = new StorageEndpoints("UseDevelopmentStorage=true");

        assertThat(endpoints.http())
                .containsExactly(
                        entry(StorageService.BLOB, URI.create("http://127.0.0.1:10000/devstoreaccount1")),
                        entry(StorageService.QUEUE, URI.create("http://127.0.0.1:10001/devstoreaccount1")),
                        entry(StorageService.TABLE, URI.create("http://127.0.0.1:10002/devstoreaccount1")));
        assertThat(endpoints.at(Map.of(StorageService.QUEUE, 9)))
                .contains("AccountName=devstoreaccount1;AccountKey=")
                .contains("QueueEndpoint=http://127.0.0.1:9/devstoreaccount1;");
    }

    @Test
    void refusesWhatAProxyCannotStandInFrontOf() {
        assertThatThrownBy(() ->
                        new StorageEndpoints("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=c2Vj").http())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("spells out, and not of none")
                .hasMessageNotContaining("c2Vj");
    }

    @Test
    void takesThePortOfHttpWhenNoneIsNamed() {
        assertThat(StorageEndpoints.address(URI.create("http://127.0.0.1/a")).getPort())
                .isEqualTo(80);
        assertThat(StorageEndpoints.address(URI.create("http://127.0.0.1:81/a")).getPort())
                .isEqualTo(81);
    }
}
