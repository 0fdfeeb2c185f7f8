package io.stowline.spring.boot.records;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordWriter;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineJournalAutoConfiguration;
import java.util.Objects;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.BeanRegistry.SupplierContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

/**
 * A writer of records that properties declare, and the beans around it: the blobs, their format and the journal. Immutable and thread-safe.
 *
 * @param name the name below {@code stowline.records}
 * @param properties its properties
 */
record DeclaredRecordWriter(String name, RecordWriterProperties properties) {

    /** Returns the name of the bean of the blobs, which also reads them. */
    String blobsBean() {
        return name + "Records";
    }

    String formatBean() {
        return name + "RecordFormat";
    }

    String writerBean() {
        return RecordWriterBeans.beanName(name);
    }

    private String journalBean() {
        return name + "RecordJournal";
    }

    private String property(String last) {
        return RecordWriterProperties.PREFIX + "." + name + "." + last;
    }

    void register(BeanRegistry registry) {
        ResolvableType type = ResolvableType.forClass(properties.type() == null ? String.class : properties.type());
        registry.registerBean(blobsBean(), RecordBlobs.class, spec -> spec.supplier(this::blobs));
        registry.<RecordFormat<?>>registerBean(
                formatBean(), generic(RecordFormat.class, type), spec -> spec.supplier(this::format));
        registry.<RecordWriter<?>>registerBean(
                writerBean(), generic(RecordWriter.class, type), spec -> spec.description(
                                "writer of " + RecordWriterProperties.PREFIX + "." + name)
                        .supplier(this::writer));
        if (properties.journal().folder() != null) {
            registry.registerBean(journalBean(), Journal.class, spec -> spec.notAutowirable()
                    .lazyInit()
                    .supplier(context -> journal()));
        }
    }

    private static <B> ParameterizedTypeReference<B> generic(Class<?> bean, ResolvableType type) {
        return ParameterizedTypeReference.forType(
                ResolvableType.forClassWithGenerics(bean, type).getType());
    }

    /** Returns the name of the container. */
    String container() {
        String container = properties.container();
        if (container == null || container.isBlank()) {
            throw new PropertyValue<>(property("container"), "").refused("it must name the container of the blobs");
        }
        return container;
    }

    private RecordBlobs blobs(SupplierContext context) {
        AccountClients clients = context.beanProvider(AccountClients.class).getIfAvailable();
        if (clients == null) {
            throw new StowlineConfigurationException(
                    "The records '" + name + "' of '" + RecordWriterProperties.PREFIX
                            + "' have no client, since Stowline's auto-configuration is not part of this context.",
                    "Replace the bean in the test, such as by a field with @MockitoBean, or remove the properties.");
        }
        Stowline client = clients.client("'" + property("account") + "'", properties.account());
        BlobContainer container = new PropertyValue<>(property("container"), container()).into(client::container);
        String prefix = Objects.requireNonNullElse(properties.prefix(), name + "/");
        return new PropertyValue<>(property("prefix"), prefix).into(value -> RecordBlobs.in(container, value));
    }

    private RecordFormat<?> format(SupplierContext context) {
        Class<?> type = properties.type();
        JsonSerializer serializer = context.beanProvider(JsonSerializer.class).getIfUnique();
        RecordFormat<?> format = type == null
                ? RecordFormat.lines()
                : new PropertyValue<>(property("type"), type)
                        .into(json ->
                                serializer == null ? RecordFormat.json(json) : RecordFormat.json(json, serializer));
        String header = properties.header();
        if (header != null) {
            format = new PropertyValue<>(property("header"), header).into(format::withHeader);
        }
        return properties.gzip() ? format.gzip() : format;
    }

    private RecordWriter<?> writer(SupplierContext context) {
        RecordBlobs blobs = context.bean(blobsBean(), RecordBlobs.class);
        RecordFormat<?> format = context.bean(formatBean(), RecordFormat.class);
        Journal journal = properties.journal().folder() == null ? null : context.bean(journalBean(), Journal.class);
        try {
            return blobs.writer(format, settings -> {
                properties.into(settings, name);
                if (journal != null) {
                    settings.journal(journal);
                }
                context.beanProvider(RecordWriterCustomizer.class)
                        .orderedStream()
                        .forEach(customizer -> customizer.customize(name, settings));
                return settings;
            });
        } catch (IllegalArgumentException | JournalException e) {
            throw new StowlineConfigurationException(
                    "The writer of the records '" + name + "' cannot be made from the properties under '"
                            + RecordWriterProperties.PREFIX + "." + name + "': " + e.getMessage() + ".",
                    "Correct the properties under '" + RecordWriterProperties.PREFIX + "." + name + "'.",
                    e);
        }
    }

    private Journal journal() {
        return StowlineJournalAutoConfiguration.open(property("journal"), properties.journal());
    }
}
