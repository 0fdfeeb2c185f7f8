package io.stowline.examples.registrations;

import org.junit.jupiter.api.Test;

class HealthTest extends ProxiedServiceTest {

    /** All instances have one storage: taking all of them out of the load balancer would help no client. */
    @Test
    void readinessDoesNotDependOnTheStorage() {
        client.get().uri("/actuator/health").exchange().expectStatus().isOk();
        proxy.refuse();
        try {
            client.get()
                    .uri("/actuator/health")
                    .exchange()
                    .expectStatus()
                    .isEqualTo(503)
                    .expectBody()
                    .jsonPath("$.components.stowline.status")
                    .isEqualTo("DOWN");
            client.get()
                    .uri("/actuator/health/readiness")
                    .exchange()
                    .expectStatus()
                    .isOk()
                    .expectBody()
                    .jsonPath("$.status")
                    .isEqualTo("UP");
        } finally {
            proxy.accept();
        }
        client.get().uri("/actuator/health").exchange().expectStatus().isOk();
    }

    @Test
    void metersAndTheStateOfTheClientsAreServed() {
        post(runner(1)).expectStatus().isCreated();

        client.get()
                .uri("/actuator/metrics/stowline.operation?tag=operation:insert")
                .exchange()
                .expectStatus()
                .isOk();
        client.get()
                .uri("/actuator/metrics/http.server.requests?tag=uri:/registrations")
                .exchange()
                .expectStatus()
                .isOk();
        client.get().uri("/actuator/stowline").exchange().expectStatus().isOk();
    }
}
