package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.web.EntityTag;
import io.stowline.spring.boot.web.IfMatch;
import io.stowline.spring.boot.web.PageParameters;
import io.stowline.table.BufferFullException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The slice of Spring Boot for controllers, which has the arguments and the problem details without a client. */
@WebMvcTest
@Import(WebSliceTest.SliceController.class)
class WebSliceTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class SliceApplication {}

    @RestController
    static class SliceController {
        @GetMapping("/arguments")
        String arguments(PageParameters page, IfMatch ifMatch) {
            return page.size() + " " + ifMatch.matches(EntityTag.of("\"a\""));
        }

        @GetMapping("/full")
        String full() {
            throw new BufferFullException("full");
        }
    }

    @Autowired
    MockMvcTester mvc;

    @Test
    @DisplayName("the test of the document, in the slice of the application of the document")
    void theTestOfTheDocumentRuns(@TempDir Path folder) throws Exception {
        DocumentedApplication.of("spring-web.md", "runners.RunnersSliceTest")
                .test("RunnersApplication", folder, "missing");
    }

    @Test
    void argumentsAndProblemsAreThere() {
        assertThat(mvc.get().uri("/arguments?size=7").header("If-Match", "\"a\""))
                .hasStatusOk()
                .bodyText()
                .isEqualTo("7 true");
        assertThat(mvc.get().uri("/full"))
                .hasStatus(503)
                .bodyJson()
                .extractingPath("$.type")
                .isEqualTo("/problems/too-busy");
    }
}
