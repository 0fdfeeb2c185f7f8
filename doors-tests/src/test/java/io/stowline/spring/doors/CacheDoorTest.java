package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application of the document on Spring's caches, beside Boot's own cache auto-configuration. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class CacheDoorTest {

    @Test
    void computesOnceAndSharesTheValue(Azurite azurite, @TempDir Path folder, CapturedOutput output) throws Exception {
        DocumentedApplication.of("spring-cache.md", "shop.ShopApplication")
                .with("stowline.spring-cache.table=caches")
                .with("stowline.spring-cache.time-to-live=10m")
                .with("stowline.spring-cache.caches.prices.type=shop.Price")
                .run(azurite, folder, context -> {
                    assertThat(output)
                            .contains("Price[item=shirt, cents=1999] Price[item=shirt, cents=1999]")
                            .containsOnlyOnce("computes shirt");
                    assertThat(context.getBean(Stowline.class).table("caches").find("prices", "k!s5:shirt"))
                            .hasValueSatisfying(row -> assertThat(row.value().get("Value0", byte[].class))
                                    .asString()
                                    .isEqualTo("{\"item\":\"shirt\",\"cents\":1999}"));
                });
    }
}
