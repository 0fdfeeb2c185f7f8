package io.stowline.spring.doors;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test of {@code docs/spring-listeners.md}, in the slice of the application of that page. */
class ListenerSliceTest {

    @Test
    @DisplayName("the test of the document, with listeners over an account in memory")
    void theTestOfTheDocumentRuns(@TempDir Path folder) throws Exception {
        DocumentedApplication.of("spring-listeners.md", "shop.ShopApplicationTest")
                .test("ShopApplication", folder, "faultyOrdersArePoison");
    }
}
