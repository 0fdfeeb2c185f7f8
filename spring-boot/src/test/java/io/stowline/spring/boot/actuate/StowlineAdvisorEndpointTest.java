package io.stowline.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.advisor.Advisor;
import io.stowline.spring.boot.actuate.StowlineAdvisorEndpoint.ReportFormat;
import io.stowline.spring.boot.autoconfigure.StowlineAdvisorAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.ProducibleOperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@AzuriteTest
class StowlineAdvisorEndpointTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class,
                    StowlineAdvisorAutoConfiguration.class,
                    StowlineAdvisorEndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=stowlineadvisor");

    private static String text(WebEndpointResponse<byte[]> response) {
        return new String(response.getBody(), StandardCharsets.UTF_8);
    }

    @Test
    void showsTheReportAsJsonAndAsAPage(TestStorage storage) {
        runner.withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> {
                    context.getBean(Stowline.class).table("advised").exists();
                    StowlineAdvisorEndpoint endpoint = context.getBean(StowlineAdvisorEndpoint.class);

                    WebEndpointResponse<byte[]> json = endpoint.report(ReportFormat.JSON);
                    WebEndpointResponse<byte[]> page = endpoint.report(ReportFormat.HTML);

                    JsonNode report = JsonMapper.shared().readTree(text(json));
                    assertThat(report.get("rows").size()).isEqualTo(54);
                    assertThat(report.at("/totals/attempts").asInt()).isEqualTo(1);
                    assertThat(json.getContentType()).hasToString("application/json");
                    assertThat(text(page)).startsWith("<!DOCTYPE html>").contains("Content-Security-Policy");
                    assertThat(page.getContentType()).hasToString("text/html;charset=UTF-8");
                    assertThat(text(json) + text(page)).doesNotContain("AccountKey", "sig=");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', HTML",
        "'text/html', HTML",
        "'*/*', JSON",
        "'application/json', JSON",
        "'application/json, */*', JSON",
        "'', JSON",
    })
    @DisplayName("a browser gets the page, and other programs JSON")
    void formatIsNegotiated(String accept, ReportFormat format) {
        List<String> accepted = accept.isEmpty() ? List.of() : List.of(accept);

        assertThat(new ProducibleOperationArgumentResolver(() -> accepted).resolve(ReportFormat.class))
                .isEqualTo(format);
    }

    @Test
    void isThereIfItIsExposedAndThereIsAnAdvisor() {
        runner.withPropertyValues(EMULATOR)
                .run(context -> assertThat(context).hasSingleBean(StowlineAdvisorEndpoint.class));
        runner.withPropertyValues(EMULATOR, "management.endpoints.web.exposure.include=stowline")
                .run(context -> assertThat(context)
                        .hasSingleBean(Advisor.class)
                        .doesNotHaveBean(StowlineAdvisorEndpoint.class));
        runner.withPropertyValues(EMULATOR, "management.endpoint.stowlineadvisor.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(StowlineAdvisorEndpoint.class));
        runner.withPropertyValues(EMULATOR, "stowline.advisor.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(StowlineAdvisorEndpoint.class));
    }

    @Test
    void backsOffWithoutTheActuatorAndWithoutTheAdvisor() {
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
                .run(context ->
                        assertThat(context).hasSingleBean(Advisor.class).doesNotHaveBean("stowlineAdvisorEndpoint"));
        runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader("io.stowline.advisor"))
                .run(context ->
                        assertThat(context).hasSingleBean(Stowline.class).doesNotHaveBean("stowlineAdvisorEndpoint"));
    }
}
