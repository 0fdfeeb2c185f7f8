package io.stowline.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.TestExecutionListeners;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of what an application does with its storage. The slice holds the auto-configurations of Stowline and what the application's main
 * class imports, such as its {@code StowlineBeans}; components that are found by a scan stay out unless a filter includes them, or {@link #listeners} takes them.
 *
 * <pre>{@code
 * @StowlineTest
 * class RegistrationsTest {
 *
 *     @Autowired
 *     Table<Runner> runners;
 *
 *     @Test
 *     void findsWhatWasWritten() {
 *         runners.insertOrReplace(new Runner("2026", "1", "Ann", 41));
 *         assertThat(runners.find("2026", "1")).isPresent();
 *     }
 * }
 * }</pre>
 *
 * <p>The clients use one Azurite for all slices of the JVM, which starts with the first one and is not emptied between tests. Declared
 * tables, queues and containers are created. A bean of type {@code Azurite} is the emulator. The client of each further account
 * has an account of the emulator, too, so that no request leaves for a configured host. If the environment variable {@code
 * STOWLINE_TEST_CONNECTION_STRING} is set, the main client uses the account that it names, no emulator starts, and a further account needs a
 * bean of type {@code StowlineAccountConnections}.
 *
 * <p>With {@code storage = MEMORY} no emulator is needed, and no Node.js: each context has accounts in its memory, which enforce none of the service's
 * limits.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(StowlineTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(StowlineTypeExcludeFilter.class)
@ImportAutoConfiguration
@TestExecutionListeners(
        listeners = PlannedFaultClearing.class,
        mergeMode = TestExecutionListeners.MergeMode.MERGE_WITH_DEFAULTS)
public @interface StowlineTest {

    /** The place of the accounts of a test. */
    enum StorageMode {
        /** In the emulator of the JVM, or in the account that the environment names. */
        AZURITE,
        /** In the memory of the context: nothing is installed or started, and each context begins with empty accounts. */
        MEMORY
    }

    /**
     * Sets the place of the accounts, as the property {@code stowline.test.storage} does. In memory each account is a bean of type {@code
     * MemoryStorage}, as {@link MemoryDevServices} describes, whose planned faults and requests are cleared before each test.
     *
     * @return the place
     */
    StorageMode storage() default StorageMode.AZURITE;

    /**
     * Puts a fault proxy between the clients and the emulator. It is a bean of type {@code FaultProxy}, and its rules and recordings are
     * cleared before each test. There is none in front of accounts in memory.
     *
     * @return whether there is a fault proxy
     */
    boolean faultProxy() default false;

    /**
     * Has the queue listeners run, and takes scanned components with listener methods into the slice. Other components that they need come in by a
     * filter or an import, and {@link #excludeFilters} keep one out. Without it such components stay out, and the {@code
     * StowlineQueueListenerRegistry} has the listeners of those that are imported, for a test to start.
     *
     * @return whether listeners start with the context
     */
    boolean listeners() default false;

    /**
     * Sets properties of the environment, such as {@code stowline.retry.retries=2}.
     *
     * @return the properties
     */
    String[] properties() default {};

    /**
     * Sets whether the default filters apply, which keep scanned components out.
     *
     * @return whether they apply
     */
    boolean useDefaultFilters() default true;

    /**
     * Sets filters that take scanned components into the slice.
     *
     * @return the filters
     */
    Filter[] includeFilters() default {};

    /**
     * Sets filters that keep components out.
     *
     * @return the filters
     */
    Filter[] excludeFilters() default {};

    /**
     * Keeps auto-configurations out of the slice.
     *
     * @return the auto-configurations
     */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
