package io.stowline.system;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.request.HeaderValues;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The arrows of the house: they go one way. */
@AnalyzeClasses(packages = "io.stowline", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String RETRY = "io.stowline.retry..";
    private static final String BATCHING = "io.stowline.batching..";
    private static final String PROJECTION = "io.stowline.projection..";
    private static final String CACHING = "io.stowline.caching..";
    private static final String JOURNAL = "io.stowline.journal..";
    private static final String ADVISOR = "io.stowline.advisor..";
    private static final String RING = "io.stowline.ring..";
    private static final String RECORDS = "io.stowline.records..";
    private static final String SPRING = "io.stowline.spring..";
    private static final String TESTKIT = "io.stowline.testkit..";
    private static final Set<String> MACHINE = Set.of(
            "System.lineSeparator",
            "BufferedWriter.newLine",
            "ZoneId.systemDefault",
            "TimeZone.getDefault",
            "Clock.systemDefaultZone",
            "Locale.getDefault",
            "Charset.defaultCharset",
            "NumberFormat.getInstance",
            "NumberFormat.getIntegerInstance",
            "DateTimeFormatter.ofLocalizedDate",
            "DateTimeFormatter.ofLocalizedTime",
            "DateTimeFormatter.ofLocalizedDateTime",
            "Collator.getInstance");
    private static final String[] CLIENT = {
        "io.stowline",
        "io.stowline.access..",
        "io.stowline.blob..",
        "io.stowline.error..",
        "io.stowline.observe..",
        "io.stowline.outcome..",
        "io.stowline.queue..",
        "io.stowline.service..",
        "io.stowline.table..",
        "io.stowline.transport.."
    };

    /**
     * Settings of the machine that ErrorProne does not refuse: it does refuse formats, cases, charsets and times of
     * day.
     */
    private static final DescribedPredicate<JavaAccess<?>> OF_THE_MACHINE = DescribedPredicate.describe(
            "the locale, charset, zone or line end of the machine",
            access -> MACHINE.contains(access.getTargetOwner().getSimpleName() + "." + access.getName())
                    || (access.getTargetOwner().isEquivalentTo(Files.class)
                            && access.getTarget() instanceof CodeUnitAccessTarget target
                            && target.getRawParameterTypes().stream()
                                    .anyMatch(type -> type.isEquivalentTo(Iterable.class))));

    private static String[] andClient(String... packages) {
        return Stream.concat(Stream.of(CLIENT), Stream.of(packages)).toArray(String[]::new);
    }

    @ArchTest
    static final ArchRule retryStandsAlone = noClasses()
            .that()
            .resideInAPackage(RETRY)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(andClient(BATCHING, PROJECTION, CACHING, JOURNAL, TESTKIT, "com.azure.."));

    @ArchTest
    static final ArchRule batchingStandsAlone = noClasses()
            .that()
            .resideInAPackage(BATCHING)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(andClient(RETRY, PROJECTION, CACHING, JOURNAL, TESTKIT, "com.azure.."));

    @ArchTest
    static final ArchRule projectionStandsAlone = noClasses()
            .that()
            .resideInAPackage(PROJECTION)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(andClient(RETRY, BATCHING, CACHING, JOURNAL, TESTKIT, "com.azure..", "reactor.."));

    @ArchTest
    static final ArchRule cachingStandsAlone = noClasses()
            .that()
            .resideInAPackage(CACHING)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(andClient(RETRY, BATCHING, PROJECTION, JOURNAL, TESTKIT, "com.azure.storage.."));

    @ArchTest
    static final ArchRule journalStandsAlone = noClasses()
            .that()
            .resideInAPackage(JOURNAL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(andClient(RETRY, BATCHING, PROJECTION, CACHING, TESTKIT, "com.azure..", "reactor.."));

    /** TRANSFER-7: callers that are on all of these threads would wait for each other. */
    @ArchTest
    static final ArchRule noWorkNeedsReactorsElasticThreads = noClasses()
            .that()
            .resideInAnyPackage(andClient(RETRY, BATCHING, CACHING, JOURNAL, RING, RECORDS, ADVISOR, SPRING))
            .should()
            .callMethod(Schedulers.class, "boundedElastic");

    @ArchTest
    static final ArchRule testkitSeesNoStowlineModule = classes()
            .that()
            .resideInAPackage(TESTKIT)
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackages(andClient(RETRY, BATCHING, PROJECTION, CACHING, JOURNAL));

    /** The storage in memory is an HTTP client of azure-core; all else works without it. */
    @ArchTest
    static final ArchRule testkitSeesAzureCoreInMemoryOnly = classes()
            .that()
            .resideInAPackage(TESTKIT)
            .and()
            .resideOutsideOfPackage("io.stowline.testkit.memory")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackages("com.azure..", "io.stowline.testkit.memory");

    @ArchTest
    static final ArchRule theClientDoesNotSeeTestsOrExamples = noClasses()
            .that()
            .resideInAnyPackage(CLIENT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(TESTKIT, "io.stowline.examples..");

    @ArchTest
    static final ArchRule transportKnowsNoService = noClasses()
            .that()
            .resideInAPackage("io.stowline.transport..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.stowline",
                    "io.stowline.access..",
                    "io.stowline.service..",
                    "io.stowline.table..",
                    "io.stowline.queue..",
                    "io.stowline.blob..",
                    BATCHING,
                    PROJECTION,
                    JOURNAL);

    @ArchTest
    static final ArchRule errorsKnowNobody = noClasses()
            .that()
            .resideInAPackage("io.stowline.error..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.stowline",
                    "io.stowline.access..",
                    "io.stowline.service..",
                    "io.stowline.table..",
                    "io.stowline.queue..",
                    "io.stowline.blob..",
                    "io.stowline.transport..",
                    RETRY,
                    BATCHING,
                    PROJECTION,
                    CACHING,
                    JOURNAL,
                    "com.azure..");

    /** Queues and blobs have no writers. */
    @ArchTest
    static final ArchRule onlyTablesKnowTheEngineOfWriters = noClasses()
            .that()
            .resideOutsideOfPackages(BATCHING, "io.stowline.table..", "io.stowline.benchmarks.engine")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(BATCHING);

    @ArchTest
    static final ArchRule batchingHasNoPublicApi =
            classes().that().resideInAPackage(BATCHING).should().resideInAPackage("io.stowline.batching.internal..");

    @ArchTest
    static final ArchRule testkitKeepsItsInternals = noClasses()
            .that()
            .resideOutsideOfPackage(TESTKIT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.stowline.testkit.internal..");

    @ArchTest
    static final ArchRule onlyTablesKnowTheirWire = noClasses()
            .that()
            .resideOutsideOfPackages("io.stowline", "io.stowline.table..", "io.stowline.benchmarks.engine")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.stowline.table.internal..");

    /**
     * The timer of a client stops when it closes: a delay has to end then as well. These two end it with an error; the others end their waits by the
     * operation in flight, or by the request beside it.
     */
    @ArchTest
    static final ArchRule pausesEndWithTheClient = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.stowline.access..",
                    "io.stowline.service..",
                    "io.stowline.table..",
                    "io.stowline.queue..",
                    "io.stowline.blob..",
                    "io.stowline.transport..")
            .and()
            .doNotHaveSimpleName("StoragePipeline")
            .and()
            .doNotHaveSimpleName("BlobService")
            .and()
            .doNotHaveSimpleName("OutcomeResolver")
            .and()
            .doNotHaveSimpleName("PoisonRun")
            .and()
            .doNotHaveSimpleName("PendingCopy")
            .should()
            .callMethod(Mono.class, "delay", Duration.class, Scheduler.class)
            .orShould()
            .callMethod(Mono.class, "delay", Duration.class);

    /** The rooms and classes that values of the API call: limits of the service, and texts that are escaped or copied. They know no face. */
    private static final DescribedPredicate<JavaClass> LEAVES = resideInAnyPackage(
                    "io.stowline.error.internal",
                    "io.stowline.projection.internal.edm",
                    "io.stowline.projection.internal.type",
                    "io.stowline.blob.internal.rule",
                    "io.stowline.queue.internal.rule")
            .or(belongToAnyOf(StoredTexts.class, MetadataRules.class, HeaderValues.class));

    /** {@code MessageCodec} makes the library's codecs, and {@code Journal} opens the one of files. */
    @ArchTest
    static final ArchRule theApiKnowsNoImplementation = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.stowline.access",
                    "io.stowline.service",
                    "io.stowline.table",
                    "io.stowline.queue",
                    "io.stowline.blob",
                    "io.stowline.retry",
                    "io.stowline.journal",
                    "io.stowline.transport",
                    "io.stowline.error",
                    "io.stowline.outcome",
                    "io.stowline.observe")
            .and()
            .doNotHaveSimpleName("MessageCodec")
            .and()
            .doNotHaveSimpleName("Journal")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.stowline..internal..").and(not(LEAVES)));

    @ArchTest
    static final ArchRule advisorUsesThePublicApi = noClasses()
            .that()
            .resideInAPackage(ADVISOR)
            .should()
            .dependOnClassesThat(resideInAPackage("io.stowline..internal..").and(not(resideInAPackage(ADVISOR))));

    @ArchTest
    static final ArchRule advisorKeepsItsInternals = noClasses()
            .that()
            .resideOutsideOfPackage(ADVISOR)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.stowline.advisor.internal..");

    @ArchTest
    static final ArchRule theClientDoesNotSeeTheAdvisor = noClasses()
            .that()
            .resideInAnyPackage(CLIENT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ADVISOR);

    @ArchTest
    static final ArchRule ringUsesThePublicApi = noClasses()
            .that()
            .resideInAPackage(RING)
            .should()
            .dependOnClassesThat(resideInAPackage("io.stowline..internal..").and(not(resideInAPackage(RING))));

    @ArchTest
    static final ArchRule ringKeepsItsInternals = noClasses()
            .that()
            .resideOutsideOfPackage(RING)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.stowline.ring.internal..");

    @ArchTest
    static final ArchRule theClientDoesNotSeeTheRing = noClasses()
            .that()
            .resideInAnyPackage(CLIENT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(RING);

    /** Chunks on disk are spool files of a journal, which has no public API for what it stores. */
    @ArchTest
    static final ArchRule recordsUseThePublicApiAndTheJournal = noClasses()
            .that()
            .resideInAPackage(RECORDS)
            .should()
            .dependOnClassesThat(resideInAPackage("io.stowline..internal..")
                    .and(not(resideInAPackage(RECORDS)))
                    .and(not(resideInAPackage("io.stowline.journal.internal.."))));

    @ArchTest
    static final ArchRule recordsKeepTheirInternals = noClasses()
            .that()
            .resideOutsideOfPackage(RECORDS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.stowline.records.internal..");

    @ArchTest
    static final ArchRule theClientDoesNotSeeRecords = noClasses()
            .that()
            .resideInAnyPackage(CLIENT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(RECORDS);

    @ArchTest
    static final ArchRule springUsesThePublicApi = noClasses()
            .that()
            .resideInAPackage(SPRING)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.stowline..internal..");

    @ArchTest
    static final ArchRule onlyItsOwnModulesKnowSpring = noClasses()
            .that()
            .resideOutsideOfPackages(SPRING, "io.stowline.examples..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule noTextDependsOnTheMachine = noClasses()
            .that()
            .resideOutsideOfPackage("io.stowline.system..")
            .should()
            .accessTargetWhere(OF_THE_MACHINE);

    @ArchTest
    static final ArchRule noCyclesBetweenServices =
            slices().matching("io.stowline.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule noCyclesBetweenRooms =
            slices().matching("io.stowline.(*).internal.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule noCyclesInsideRooms =
            slices().matching("io.stowline.(*).internal.(**)").should().beFreeOfCycles();

    /** A composite or a decorator that does not pass on a default method loses its calls without a compile error. {@code MendedBody} reads by its own stream. */
    @ArchTest
    static final ArchRule whoDelegatesPassesOnEachDefaultMethod = classes()
            .that()
            .doNotHaveSimpleName("MendedBody")
            .should(ArchCondition.from(DescribedPredicate.<JavaClass>describe(
                    "declare each default method of an interface to whose instances they delegate",
                    type -> forgotten(type).isEmpty())));

    /** Default methods of azure-core that block on another method of the interface, which is passed on. */
    private static final Set<String> WAITS_FOR_ANOTHER_METHOD = Set.of("sendSync", "processSync");

    private static Set<String> forgotten(JavaClass type) {
        return type.getRawInterfaces().stream()
                .filter(contract -> (contract.getPackageName().startsWith("io.stowline")
                                || contract.getPackageName().startsWith("com.azure.core.http"))
                        && !contract.reflect().isSealed())
                .filter(contract -> type.getFields().stream()
                        .anyMatch(field ->
                                field.getType().getAllInvolvedRawTypes().contains(contract)))
                .flatMap(contract -> contract.getMethods().stream())
                .filter(method -> !method.getModifiers().contains(JavaModifier.ABSTRACT)
                        && !method.getModifiers().contains(JavaModifier.STATIC)
                        && !method.getModifiers().contains(JavaModifier.PRIVATE)
                        && !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(method -> !WAITS_FOR_ANOTHER_METHOD.contains(method.getName()))
                .filter(method ->
                        type.tryGetMethod(method.getName(), names(method)).isEmpty())
                .map(JavaMethod::getFullName)
                .collect(Collectors.toSet());
    }

    private static String[] names(JavaMethod method) {
        return method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
    }
}
