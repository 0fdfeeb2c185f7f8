package io.stowline.examples.photodrop;

import io.stowline.blob.BlobContainer;
import io.stowline.testkit.FaultProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The running service, at a port that its CORS rule names. All tests share it. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.DEFINED_PORT,
        properties = {"stowline.create-missing=true", "photodrop.max-size=8MB"})
@AutoConfigureRestTestClient
@Import(ProxiedStorage.class)
abstract class ServiceTest {

    static final int MAX_SIZE = 8 << 20;
    static final Duration AT_MOST = Duration.ofMinutes(1);

    private static final int PORT = TestSocketUtils.findAvailableTcpPort();

    static final String ORIGIN = "http://localhost:" + PORT;

    @Autowired
    RestTestClient client;

    @Autowired
    FaultProxy proxy;

    @Autowired
    @Qualifier("photos")
    BlobContainer photos;

    @DynamicPropertySource
    static void place(DynamicPropertyRegistry registry) {
        registry.add("server.port", () -> PORT);
        registry.add("photodrop.origins", () -> ORIGIN);
    }

    @BeforeEach
    @AfterEach
    void clearsFaults() {
        proxy.clear();
    }
}
