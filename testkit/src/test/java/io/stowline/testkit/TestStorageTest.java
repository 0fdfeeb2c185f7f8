package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TestStorageTest {

    final TestStorage external = TestStorage.external("AccountName=a;AccountKey=c2VjcmV0");

    @Test
    void passesTheConnectionStringOn() {
        assertThat(external.connectionString()).isEqualTo("AccountName=a;AccountKey=c2VjcmV0");
        assertThat(external.isEmulator()).isFalse();
        assertThat(external.azurite()).isEmpty();
    }

    @Test
    void neverShowsTheKeyWhenPrinted() {
        assertThat(external).asString().isEqualTo("TestStorage[STOWLINE_TEST_CONNECTION_STRING]");
    }
}
