package io.stowline.spring.boot.records;

import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResource.Kind;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.autoconfigure.QualifiedBeans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * A registrar of the writers of records under {@code stowline.records}: {@code activitiesRecordWriter}, {@code activitiesRecords} and {@code
 * activitiesRecordFormat}, all qualified by {@code activities}. Their containers are declared resources.
 */
final class StowlineRecordsRegistrar implements BeanRegistrar {

    /** Made by Spring. */
    StowlineRecordsRegistrar() {}

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        Map<String, RecordWriterProperties> declared = new TreeMap<>(Binder.get(environment)
                .bind(RecordWriterProperties.PREFIX, Bindable.mapOf(String.class, RecordWriterProperties.class))
                .orElseGet(Map::of));
        Map<String, String> qualifiers = new HashMap<>();
        List<DeclaredResource> containers = new ArrayList<>();
        declared.forEach((name, properties) -> {
            DeclaredRecordWriter writer = new DeclaredRecordWriter(name, properties);
            containers.add(new DeclaredResource(
                    Objects.requireNonNullElse(properties.account(), AccountClients.MAIN),
                    Kind.CONTAINER,
                    writer.container(),
                    writer.blobsBean()));
            writer.register(registry);
            List.of(writer.blobsBean(), writer.formatBean(), writer.writerBean())
                    .forEach(bean -> qualifiers.put(bean, name));
        });
        registry.registerBean(
                "stowlineRecordResources",
                DeclaredResources.class,
                spec -> spec.supplier(context -> new DeclaredResources(containers)));
        registry.registerBean(
                "stowlineRecordQualifiers",
                QualifiedBeans.class,
                spec -> spec.supplier(context -> new QualifiedBeans(qualifiers, true)));
    }
}
