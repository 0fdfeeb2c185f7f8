package io.stowline.system.reachability;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Each class of the library that reflects is listed, with the reason for which a native image finds what it looks for. */
@AnalyzeClasses(packages = "io.stowline", importOptions = ImportOption.DoNotIncludeTests.class)
class ReflectiveCallsTest {

    private static final Pattern REFLECTIVE = Pattern.compile("java\\.lang\\.Class\\.(forName|newInstance"
            + "|get(Declared)?(Method|Field|Constructor)s?|getRecordComponents|getPermittedSubclasses|getResource\\w*)"
            + "|java\\.lang\\.ClassLoader\\.(loadClass|getResource\\w*)"
            + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect|define)\\w*"
            + "|java\\.lang\\.invoke\\.MethodHandles\\.privateLookupIn"
            + "|java\\.lang\\.invoke\\.LambdaMetafactory\\.\\w+"
            + "|java\\.lang\\.reflect\\.Proxy\\.newProxyInstance"
            + "|java\\.io\\.Object(In|Out)putStream\\.<init>"
            + "|java\\.util\\.(ServiceLoader\\.load\\w*|ResourceBundle\\.getBundle)"
            + "|java\\.util\\.concurrent\\.atomic\\.Atomic\\w+FieldUpdater\\.newUpdater");

    private static final String LITERALS = "the class and the name are literals, which the builder of an image finds";
    private static final String APPLICATION = "types of the application, which registers them";
    private static final String ON_A_JVM =
            "on a JVM only: TypeAccess takes constructors, accessors and fields in an image";
    private static final String PROPERTIES = "Spring Boot registers the types of configuration properties";
    private static final String AT_THE_BUILD = "runs at the build of the application only";
    private static final String HINTS = "StowlineRuntimeHints or ListenerMethodHints register the type";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("io.stowline.advisor.internal.page.PageStyle", LITERALS),
            Map.entry("io.stowline.advisor.internal.rule.PracticeTexts", LITERALS),
            Map.entry("io.stowline.batching.internal.callback.WriteMono", LITERALS),
            Map.entry("io.stowline.batching.internal.engine.EngineSubmission", LITERALS),
            Map.entry("io.stowline.batching.internal.engine.InFlightBatch", LITERALS),
            Map.entry("io.stowline.projection.internal.read.ReaderArgument", ON_A_JVM),
            Map.entry("io.stowline.projection.internal.type.ComponentAccessor", ON_A_JVM),
            Map.entry("io.stowline.projection.internal.type.ComponentValues", APPLICATION),
            Map.entry("io.stowline.projection.internal.type.DefaultArguments", APPLICATION),
            Map.entry(
                    "io.stowline.projection.internal.type.KotlinMetadata",
                    "reachability-metadata.json of stowline-projection"),
            Map.entry("io.stowline.projection.internal.type.TypeAccess", ON_A_JVM),
            Map.entry("io.stowline.projection.internal.type.TypeComponents", APPLICATION),
            Map.entry("io.stowline.queue.internal.body.JsonCodec", LITERALS),
            Map.entry(
                    "io.stowline.queue.internal.consumer.handler.HandlerThreads",
                    "reachability-metadata.json of stowline-client"),
            Map.entry("io.stowline.retry.internal.engine.AttemptRun", LITERALS),
            Map.entry("io.stowline.retry.internal.engine.RetryRun", LITERALS),
            Map.entry("io.stowline.retry.internal.gate.Permit", LITERALS),
            Map.entry("io.stowline.retry.internal.gate.PermitMono", LITERALS),
            Map.entry("io.stowline.retry.internal.rate.RefillClock", LITERALS),
            Map.entry("io.stowline.retry.internal.timeout.AttemptTimeout", LITERALS),
            Map.entry("io.stowline.retry.internal.timeout.Upstream", LITERALS),
            Map.entry("io.stowline.ring.internal.table.ValueKeys", APPLICATION),
            Map.entry("io.stowline.spring.boot.aot.MappedTypeHints", AT_THE_BUILD),
            Map.entry("io.stowline.spring.boot.aot.StowlineRuntimeHints", AT_THE_BUILD),
            Map.entry("io.stowline.spring.boot.autoconfigure.BuilderProperties", PROPERTIES),
            Map.entry("io.stowline.spring.boot.cache.CacheKeys", APPLICATION),
            Map.entry("io.stowline.spring.boot.listener.ConsumerProperties", PROPERTIES),
            Map.entry("io.stowline.spring.boot.listener.ListenerMethodScanner", PROPERTIES),
            Map.entry("io.stowline.spring.boot.listener.QueueListenerStart", HINTS),
            Map.entry("io.stowline.spring.boot.repository.DerivedMethods", HINTS),
            Map.entry("io.stowline.spring.boot.repository.KeyProperties", HINTS),
            Map.entry("io.stowline.spring.boot.repository.RepositoryProxy", HINTS),
            Map.entry("io.stowline.spring.boot.repository.TableRepositoryFactory", HINTS),
            Map.entry("io.stowline.table.internal.codec.SealedCodec", APPLICATION),
            Map.entry("io.stowline.transport.internal.concurrent.Callbacks", LITERALS),
            Map.entry("io.stowline.transport.internal.concurrent.DeliveredMono", LITERALS),
            Map.entry("io.stowline.transport.internal.concurrent.InFlightEntry", LITERALS),
            Map.entry("io.stowline.transport.internal.http.Standstill", LITERALS),
            Map.entry("io.stowline.transport.internal.http.response.WriteTracker", LITERALS),
            Map.entry("io.stowline.transport.internal.limits.AdmissionLease", LITERALS),
            Map.entry("io.stowline.transport.internal.netty.direct.PendingResponse", LITERALS),
            Map.entry("io.stowline.transport.internal.observe.ObservedOperation", LITERALS),
            Map.entry("io.stowline.transport.internal.outcome.ResolvedMono", LITERALS),
            Map.entry("io.stowline.transport.internal.pipeline.AdmissionControl", LITERALS));

    @ArchTest
    void eachReflectiveCallHasItsReason(JavaClasses classes) {
        Map<String, Set<String>> found = new TreeMap<>();
        for (JavaClass type : classes) {
            if (Stream.of("io.stowline.testkit", "io.stowline.system").noneMatch(type.getPackageName()::startsWith)) {
                Stream.concat(
                                type.getCodeUnits().stream()
                                        .map(JavaCodeUnit::getCallsFromSelf)
                                        .flatMap(Set::stream)
                                        .map(call -> call.getTarget()),
                                type.getCodeUnits().stream()
                                        .map(JavaCodeUnit::getCodeUnitReferencesFromSelf)
                                        .flatMap(Set::stream)
                                        .map(reference -> (CodeUnitAccessTarget) reference.getTarget()))
                        .map(target -> target.getOwner().getName() + "." + target.getName())
                        .filter(target -> REFLECTIVE.matcher(target).matches())
                        .forEach(target -> found.computeIfAbsent(
                                        type.getName().replaceFirst("\\$.*", ""), name -> new TreeSet<>())
                                .add(target));
            }
        }

        Map<String, Set<String>> unlisted = new TreeMap<>(found);
        unlisted.keySet().removeAll(REASONS.keySet());

        assertThat(unlisted).as("reflective calls without a reason").isEmpty();
        assertThat(found).containsKeys(REASONS.keySet().toArray(String[]::new));
    }
}
