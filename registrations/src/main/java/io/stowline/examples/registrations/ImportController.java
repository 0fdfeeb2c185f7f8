package io.stowline.examples.registrations;

import jakarta.validation.constraints.Pattern;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The controller of CSV imports. The response to the upload is the event stream itself: the two live and die together,
 * so that an import needs no registry of running jobs, and any instance of the service may take it.
 */
@RestController
class ImportController {

    private final RunnerImports imports;
    private final AsyncTaskExecutor executor;

    ImportController(RunnerImports imports, AsyncTaskExecutor applicationTaskExecutor) {
        this.imports = imports;
        this.executor = applicationTaskExecutor;
    }

    @PostMapping(path = "/registrations/import", consumes = "text/csv", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter importRunners(InputStream body, @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type)
            throws IOException {
        RunnerCsv rows = new RunnerCsv(body, Objects.requireNonNullElse(type.getCharset(), StandardCharsets.UTF_8));
        ImportSummary summary = imports.begin();
        ImportEvents events = new ImportEvents();
        events.send("started", summary);
        executor.execute(() -> imports.run(summary, rows, events));
        return events.emitter();
    }

    /** Returns the summary to a client that did not see the end of its import. */
    @GetMapping("/imports/{day}/{id}")
    ImportSummary find(
            @PathVariable @Pattern(regexp = "[0-9-]{10}") String day,
            @PathVariable @Pattern(regexp = "[0-9a-f-]{36}") String id) {
        return imports.find(day, id);
    }
}
