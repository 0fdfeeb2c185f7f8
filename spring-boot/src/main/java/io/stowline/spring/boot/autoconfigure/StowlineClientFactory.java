package io.stowline.spring.boot.autoconfigure;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import io.stowline.Stowline;
import io.stowline.observe.StowlineListener;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.util.ClassUtils;

/** A factory of the client of an account: connection, properties, listeners, threads, and then the customizers. */
public final class StowlineClientFactory {

    private static final int MAX_NAME = 24;
    private static final Pattern PUBLIC_NAME = Pattern.compile("[a-z0-9]{3,24}");
    private static final String JOURNAL = "io.stowline.journal.Journal";

    private final ListableBeanFactory beans;
    private final Environment environment;

    StowlineClientFactory(ListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * Makes a client of an account from its properties alone, for code that runs before there are beans, such as an import of configuration.
     *
     * @param account the name below {@code stowline.accounts}; {@code stowline} for the default account
     * @param properties its properties
     * @param customizer changes the client, such as its credential
     * @return the client, to be closed
     */
    public static Stowline fromProperties(
            String account, AccountProperties properties, StowlineBuilderCustomizer customizer) {
        return make(account, properties, new PropertiesStowlineConnectionDetails(properties), () -> null, builder -> {
            if (customizer.supports(account)) {
                customizer.customize(account, builder);
            }
        });
    }

    Stowline create(String account, AccountProperties properties, StowlineConnectionDetails details) {
        openJournals();
        return make(account, properties, details, () -> token(account), builder -> {
            List<StowlineBuilderCustomizer> customizers = beans.getBeanProvider(StowlineBuilderCustomizer.class)
                    .orderedStream()
                    .filter(customizer -> customizer.supports(account))
                    .toList();
            List<StowlineListener> listeners = Stream.concat(
                            beans.getBeanProvider(StowlineListener.class).orderedStream(),
                            customizers.stream().flatMap(customizer -> customizer.listener(account).stream()))
                    .toList();
            if (!listeners.isEmpty()) {
                builder.listener(StowlineListener.all(listeners.toArray(StowlineListener[]::new)));
            }
            if (Threading.VIRTUAL.isActive(environment)) {
                builder.callbacks(new VirtualThreadTaskExecutor("stowline-callbacks-"));
            }
            customizers.forEach(customizer -> customizer.customize(account, builder));
        });
    }

    private static Stowline make(
            String account,
            AccountProperties properties,
            StowlineConnectionDetails details,
            Supplier<@Nullable TokenCredential> token,
            Consumer<Stowline.Builder> more) {
        String prefix = AccountClients.prefix(account);
        Stowline.Builder builder = Stowline.builder();
        try {
            connect(prefix, builder, details, token);
        } catch (StowlineConfigurationException e) {
            throw details instanceof PropertiesStowlineConnectionDetails ? e : unusable(prefix, details, e);
        } catch (IllegalArgumentException e) {
            throw unusable(prefix, details, e);
        }
        new BuilderProperties(prefix, builder).apply(properties);
        more.accept(builder);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw unusable(prefix, details, e);
        }
    }

    private static StowlineConfigurationException unusable(
            String prefix, StowlineConnectionDetails details, RuntimeException e) {
        if (!(details instanceof PropertiesStowlineConnectionDetails)) {
            return new StowlineConfigurationException(
                    "The connection details of type " + details.getClass().getName() + " make no client of Stowline: "
                            + e.getMessage(),
                    "Correct this bean, which takes the place of the properties under '" + prefix + "'.",
                    e);
        }
        return new StowlineConfigurationException(
                "The client of Stowline cannot be made from the properties under '" + prefix + "': " + e.getMessage(),
                "Set one of: '" + prefix + ".connection-string'; '" + prefix + ".account-name' and '" + prefix
                        + ".account-key'; '" + prefix + ".endpoint' and '" + prefix + ".sas-token'; '" + prefix
                        + ".endpoint' or '" + prefix + ".account-name' beside a bean of type TokenCredential.",
                e);
    }

    private static void connect(
            String prefix,
            Stowline.Builder builder,
            StowlineConnectionDetails details,
            Supplier<@Nullable TokenCredential> credential) {
        PropertyMapper map = PropertyMapper.get();
        map.from(details::getConnectionString).to(builder::connectionString);
        map.from(details::getEndpoint).to(builder::endpoint);
        map.from(details::getTableEndpoint).to(builder::tableEndpoint);
        map.from(details::getQueueEndpoint).to(builder::queueEndpoint);
        map.from(details::getBlobEndpoint).to(builder::blobEndpoint);
        String name = details.getAccountName();
        if (name != null && !hasEndpoint(details)) {
            checkName(prefix, name);
            builder.endpoint("https://" + name + ".blob.core.windows.net");
        }
        map.from(details::getAccountName).to(builder::accountName);
        authorize(prefix, builder, details, credential);
    }

    /** A text that is too long for a name may be a key, and is not shown. */
    private static void checkName(String prefix, String name) {
        if (!PUBLIC_NAME.matcher(name).matches()) {
            boolean shown = name.length() <= MAX_NAME;
            throw contradiction(
                    "'" + prefix + ".account-name' is " + (shown ? "'" + name + "'" : "no name of an account")
                            + ": an account has 3 to 24 lower-case letters and digits.",
                    "Set '" + prefix + ".account-name' to the name of the account.");
        }
    }

    private static boolean hasEndpoint(StowlineConnectionDetails details) {
        return details.getConnectionString() != null
                || details.getEndpoint() != null
                || details.getTableEndpoint() != null
                || details.getQueueEndpoint() != null
                || details.getBlobEndpoint() != null;
    }

    private static void authorize(
            String prefix,
            Stowline.Builder builder,
            StowlineConnectionDetails details,
            Supplier<@Nullable TokenCredential> credential) {
        String key = details.getAccountKey();
        String sas = details.getSasToken();
        if (key != null && sas != null) {
            throw contradiction("Both '" + prefix + ".account-key' and '" + prefix + ".sas-token' are set.");
        }
        if (hasSecret(details.getConnectionString()) && (key != null || sas != null)) {
            throw contradiction("'" + prefix + ".connection-string' has a credential, and '" + prefix
                    + (key != null ? ".account-key" : ".sas-token") + "' is set, too.");
        }
        if (key != null) {
            String name = details.getAccountName();
            if (name == null) {
                throw contradiction(
                        "'" + prefix + ".account-key' is set without '" + prefix + ".account-name'.",
                        "Set '" + prefix + ".account-name' to the account of the key.");
            }
            builder.credential(new AzureNamedKeyCredential(name, key));
        } else if (sas != null) {
            sign(prefix + ".sas-token", builder, sas);
        } else if (!hasSecret(details.getConnectionString())) {
            TokenCredential token = credential.get();
            if (token != null) {
                builder.credential(token);
            }
        }
    }

    private static void sign(String property, Stowline.Builder builder, String sas) {
        try {
            builder.credential(new AzureSasCredential(sas));
        } catch (IllegalArgumentException e) {
            throw contradiction(
                    "'" + property + "' cannot be used: " + e.getMessage(),
                    "Set '" + property + "' to a shared access signature, with or without a leading question mark.");
        }
    }

    private static boolean hasSecret(@Nullable String connectionString) {
        if (connectionString == null) {
            return false;
        }
        String settings = connectionString.toLowerCase(java.util.Locale.ROOT);
        return settings.contains("accountkey")
                || settings.contains("sharedaccesssignature")
                || settings.contains("usedevelopmentstorage");
    }

    private @Nullable TokenCredential token(String account) {
        return BeanFactoryAnnotationUtils.qualifiedBeansOfType(beans, TokenCredential.class, account).values().stream()
                .findFirst()
                .orElseGet(() -> beans.getBeanProvider(TokenCredential.class).getIfAvailable());
    }

    /** A bean that is made first is closed last: a journal after the clients whose writers use it. */
    private void openJournals() {
        if (ClassUtils.isPresent(JOURNAL, null)) {
            beans.getBeansOfType(ClassUtils.resolveClassName(JOURNAL, null), false, true);
        }
    }

    private static StowlineConfigurationException contradiction(String what) {
        return contradiction(what, "Remove one of them.");
    }

    private static StowlineConfigurationException contradiction(String what, String action) {
        return new StowlineConfigurationException(what, action);
    }
}
