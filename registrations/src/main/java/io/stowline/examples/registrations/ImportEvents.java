package io.stowline.examples.registrations;

import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The event stream of one import. An event that cannot be sent means that the client is gone. */
final class ImportEvents {

    private static final long NO_TIMEOUT = 0;

    private final SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
    private volatile boolean connected = true;

    ImportEvents() {
        emitter.onError(failure -> connected = false);
    }

    SseEmitter emitter() {
        return emitter;
    }

    boolean connected() {
        return connected;
    }

    void send(String name, Object data) {
        if (connected) {
            try {
                emitter.send(SseEmitter.event().name(name).data(data, MediaType.APPLICATION_JSON));
            } catch (IOException | IllegalStateException e) {
                connected = false;
            }
        }
    }

    void complete() {
        emitter.complete();
    }
}
