package io.stowline.service.internal;

import com.azure.xml.XmlWriter;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceInfo;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.transport.internal.xml.XmlCursor;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a service in XML, by its pages "Set Blob Service Properties" and "Get Blob Service Properties" and those of queues and
 * tables. A request has one property, since the service keeps those that are left out. Stateless.
 */
final class ServicePropertiesXml {

    private static final String ROOT = "StorageServiceProperties";
    private static final String CORS = "Cors";
    private static final String CORS_RULE = "CorsRule";
    private static final String LOGGING = "Logging";
    private static final String HOUR = "HourMetrics";
    private static final String MINUTE = "MinuteMetrics";
    private static final String DEFAULT_VERSION = "DefaultServiceVersion";
    private static final String SOFT_DELETE = "DeleteRetentionPolicy";
    private static final String WEBSITE = "StaticWebsite";
    private static final String RETENTION = "RetentionPolicy";

    private static final String ORIGINS = "AllowedOrigins";
    private static final String METHODS = "AllowedMethods";
    private static final String MAX_AGE = "MaxAgeInSeconds";
    private static final String EXPOSED = "ExposedHeaders";
    private static final String ALLOWED = "AllowedHeaders";
    private static final String VERSION = "Version";
    private static final String DELETE = "Delete";
    private static final String READ = "Read";
    private static final String WRITE = "Write";
    private static final String ENABLED = "Enabled";
    private static final String DAYS = "Days";
    private static final String APIS = "IncludeAPIs";
    private static final String PERMANENT = "AllowPermanentDelete";
    private static final String INDEX = "IndexDocument";
    private static final String ERROR = "ErrorDocument404Path";
    private static final String DEFAULT_INDEX = "DefaultIndexDocumentPath";

    private static final Set<String> GROUPS = Set.of(LOGGING, HOUR, MINUTE, SOFT_DELETE, WEBSITE);

    /** Elements without others; the service may add elements that have some. */
    private static final Set<String> TEXTS = Set.of(
            ORIGINS,
            METHODS,
            MAX_AGE,
            EXPOSED,
            ALLOWED,
            VERSION,
            DELETE,
            READ,
            WRITE,
            ENABLED,
            DAYS,
            APIS,
            PERMANENT,
            INDEX,
            ERROR,
            DEFAULT_INDEX);

    private ServicePropertiesXml() {}

    /** A writer of one property. */
    @FunctionalInterface
    private interface PropertyWriter {
        void write(XmlWriter xml) throws XMLStreamException;
    }

    private static String body(PropertyWriter property) {
        StringWriter text = new StringWriter();
        try (XmlWriter xml = XmlWriter.toWriter(text)) {
            xml.writeStartDocument("1.0", "utf-8").writeStartElement(ROOT);
            property.write(xml);
            xml.writeEndElement().flush();
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("the property cannot be written as XML", e);
        }
        return text.toString();
    }

    static String corsRules(List<CorsRule> rules) {
        return body(xml -> {
            xml.writeStartElement(CORS);
            for (CorsRule rule : rules) {
                xml.writeStartElement(CORS_RULE)
                        .writeStringElement(ORIGINS, String.join(",", rule.allowedOrigins()))
                        .writeStringElement(METHODS, String.join(",", rule.allowedMethods()))
                        .writeLongElement(MAX_AGE, rule.maxAge().toSeconds())
                        .writeStringElement(EXPOSED, String.join(",", rule.exposedHeaders()))
                        .writeStringElement(ALLOWED, String.join(",", rule.allowedHeaders()))
                        .writeEndElement();
            }
            xml.writeEndElement();
        });
    }

    static String softDelete(SoftDelete softDelete) {
        return body(xml -> {
            retention(xml.writeStartElement(SOFT_DELETE), softDelete.days());
            if (softDelete.permanentDelete()) {
                xml.writeBooleanElement(PERMANENT, true);
            }
            xml.writeEndElement();
        });
    }

    static String staticWebsite(StaticWebsite website) {
        return body(xml -> xml.writeStartElement(WEBSITE)
                .writeBooleanElement(ENABLED, website.enabled())
                .writeStringElement(INDEX, website.indexDocument())
                .writeStringElement(ERROR, website.errorDocument())
                .writeStringElement(DEFAULT_INDEX, website.defaultIndexPath())
                .writeEndElement());
    }

    static String defaultVersion(String version) {
        return body(xml -> xml.writeStringElement(DEFAULT_VERSION, version));
    }

    static String logging(AnalyticsLogging logging) {
        return body(xml -> {
            xml.writeStartElement(LOGGING)
                    .writeStringElement(VERSION, logging.version())
                    .writeBooleanElement(DELETE, logging.deletes())
                    .writeBooleanElement(READ, logging.reads())
                    .writeBooleanElement(WRITE, logging.writes())
                    .writeStartElement(RETENTION);
            retention(xml, logging.retentionDays());
            xml.writeEndElement().writeEndElement();
        });
    }

    static String metrics(String element, AnalyticsMetrics metrics) {
        return body(xml -> {
            xml.writeStartElement(element)
                    .writeStringElement(VERSION, "1.0")
                    .writeBooleanElement(ENABLED, metrics.enabled());
            if (metrics.enabled()) {
                xml.writeBooleanElement(APIS, metrics.includeApis());
            }
            retention(xml.writeStartElement(RETENTION), metrics.retentionDays());
            xml.writeEndElement().writeEndElement();
        });
    }

    private static void retention(XmlWriter xml, int days) throws XMLStreamException {
        xml.writeBooleanElement(ENABLED, days > 0);
        if (days > 0) {
            xml.writeIntElement(DAYS, days);
        }
    }

    /**
     * Reads a response.
     *
     * @throws IOException if it is no XML, or has no properties
     * @throws RuntimeException if a property is no number where it should be one
     */
    static ServiceInfo read(byte[] body) throws IOException {
        List<CorsRule> rules = new ArrayList<>();
        Map<String, Map<String, String>> groups = new HashMap<>();
        String defaultVersion = null;
        XmlCursor xml = new XmlCursor(body);
        if (!xml.root().equals(ROOT)) {
            throw new IOException("the response has no element " + ROOT);
        }
        while (xml.next()) {
            String name = xml.name();
            if (name.equals(CORS)) {
                readRules(xml, rules);
            } else if (GROUPS.contains(name)) {
                groups.put(name, texts(xml));
            } else if (name.equals(DEFAULT_VERSION)) {
                defaultVersion = xml.text();
            } else {
                xml.skip();
            }
        }
        return new ServiceInfo(
                rules,
                logging(groups.get(LOGGING)),
                metrics(groups.get(HOUR)),
                metrics(groups.get(MINUTE)),
                defaultVersion,
                softDelete(groups.get(SOFT_DELETE)),
                website(groups.get(WEBSITE)));
    }

    private static void readRules(XmlCursor xml, List<CorsRule> rules) throws IOException {
        while (xml.next()) {
            if (xml.name().equals(CORS_RULE)) {
                Map<String, String> rule = texts(xml);
                rules.add(new CorsRule(
                        list(rule, ORIGINS),
                        list(rule, METHODS),
                        list(rule, ALLOWED),
                        list(rule, EXPOSED),
                        Duration.ofSeconds(Long.parseLong(text(rule, MAX_AGE, "0")))));
            } else {
                xml.skip();
            }
        }
    }

    /** Reads the texts in an element, and those in its policy under the name of the policy. */
    private static Map<String, String> texts(XmlCursor xml) throws IOException {
        Map<String, String> texts = new HashMap<>();
        while (xml.next()) {
            String name = xml.name();
            if (name.equals(RETENTION)) {
                texts(xml).forEach((policy, text) -> texts.put(RETENTION + policy, text));
            } else if (TEXTS.contains(name)) {
                texts.put(name, xml.text().strip());
            } else {
                xml.skip();
            }
        }
        return texts;
    }

    private static String text(Map<String, String> texts, String name, String absent) {
        String text = texts.getOrDefault(name, "");
        return text.isEmpty() ? absent : text;
    }

    private static List<String> list(Map<String, String> texts, String name) {
        return Stream.of(texts.getOrDefault(name, "").split(","))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private static boolean flag(Map<String, String> texts, String name) {
        return Boolean.parseBoolean(texts.get(name));
    }

    private static int days(Map<String, String> texts, String policy) {
        return flag(texts, policy + ENABLED) ? Integer.parseInt(text(texts, policy + DAYS, "0")) : 0;
    }

    private static @Nullable AnalyticsLogging logging(@Nullable Map<String, String> texts) {
        return texts == null
                ? null
                : new AnalyticsLogging(
                        text(texts, VERSION, ""),
                        flag(texts, READ),
                        flag(texts, WRITE),
                        flag(texts, DELETE),
                        days(texts, RETENTION));
    }

    private static @Nullable AnalyticsMetrics metrics(@Nullable Map<String, String> texts) {
        return texts == null
                ? null
                : new AnalyticsMetrics(flag(texts, ENABLED), flag(texts, APIS), days(texts, RETENTION));
    }

    private static @Nullable SoftDelete softDelete(@Nullable Map<String, String> texts) {
        return texts == null ? null : new SoftDelete(days(texts, ""), flag(texts, PERMANENT));
    }

    private static @Nullable StaticWebsite website(@Nullable Map<String, String> texts) {
        return texts == null
                ? null
                : new StaticWebsite(flag(texts, ENABLED), texts.get(INDEX), texts.get(ERROR), texts.get(DEFAULT_INDEX));
    }
}
