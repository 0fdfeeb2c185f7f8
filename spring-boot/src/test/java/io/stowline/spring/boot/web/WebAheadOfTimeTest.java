package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.spring.boot.web.WebApplication.Runner;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.GenericWebApplicationContext;

/** The beans for Spring MVC in an application that is processed ahead of time. */
class WebAheadOfTimeTest {

    @RestController
    static class ListController {
        @GetMapping("/")
        ResponseEntity<PageResponse<Runner>> list(PageParameters page) {
            return ResponseEntity.notFound().build();
        }
    }

    @Test
    void advicesAreReachedByReflectionAndPagesAreWritten() {
        TestGenerationContext generation = new TestGenerationContext();
        try (GenericWebApplicationContext context = new GenericWebApplicationContext(new MockServletContext())) {
            new AnnotatedBeanDefinitionReader(context)
                    .register(StowlineWebAutoConfiguration.class, ListController.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();

        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(ProblemAdvice.class, "problem"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(RingProblemAdvice.class, "moving"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(PageResponse.class, "next"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Runner.class, "age"))
                .accepts(hints);
        TestCompiler.forSystem().with(generation).compile(compiled -> assertThat(compiled.getSourceFiles())
                .isNotEmpty());
    }
}
