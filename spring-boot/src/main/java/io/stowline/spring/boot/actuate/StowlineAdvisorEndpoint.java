package io.stowline.spring.boot.actuate;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.actuate.endpoint.Producible;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * The Actuator endpoint {@code stowlineadvisor}: the report of the advisor as JSON, and as a page where a browser requests it. It is
 * read-only, sends nothing to a storage, and shows no key unless {@code stowline.advisor.show-keys} allows it.
 *
 * <p>Thread-safe.
 */
@WebEndpoint(id = "stowlineadvisor")
public final class StowlineAdvisorEndpoint {

    private final Advisor advisor;

    /**
     * Makes the endpoint.
     *
     * @param advisor the advisor of all clients
     */
    StowlineAdvisorEndpoint(Advisor advisor) {
        this.advisor = advisor;
    }

    /**
     * Returns the report of the window that ends now.
     *
     * @param format the form that the caller accepts
     * @return the report
     */
    @ReadOperation(producesFrom = ReportFormat.class)
    public WebEndpointResponse<byte[]> report(ReportFormat format) {
        AdviceReport report = advisor.report();
        String text =
                switch (format) {
                    case JSON -> report.json();
                    case HTML -> report.html();
                };
        return new WebEndpointResponse<>(text.getBytes(StandardCharsets.UTF_8), format);
    }

    /** The forms of a report. The last one that a caller accepts is chosen, and a browser accepts any. */
    public enum ReportFormat implements Producible<ReportFormat> {
        /** One object of JSON. */
        JSON,
        /** One page that needs no other file. */
        HTML;

        private static final MimeType PAGE = new MimeType(MimeTypeUtils.TEXT_HTML, StandardCharsets.UTF_8);

        @Override
        public MimeType getProducedMimeType() {
            return this == JSON ? MimeTypeUtils.APPLICATION_JSON : PAGE;
        }

        @Override
        public boolean isDefault() {
            return this == JSON;
        }
    }
}
