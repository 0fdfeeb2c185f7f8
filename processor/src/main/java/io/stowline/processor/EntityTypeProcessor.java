package io.stowline.processor;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;

/**
 * An annotation processor that registers the types of entities for reflection in native images, in a file
 * {@code META-INF/native-image/io.stowline.types/FIRST-TYPE/reachability-metadata.json} beside the classes.
 */
public final class EntityTypeProcessor extends AbstractProcessor {

    private static final String TYPES = "stowline.types";

    /** By binary names, so that the file is the same whatever the order of the sources. */
    private final Set<String> registered = new TreeSet<>();

    /** Made by the compiler. */
    public EntityTypeProcessor() {}

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of("*");
    }

    @Override
    public Set<String> getSupportedOptions() {
        return Set.of(TYPES);
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    /**
     * Collects the types of a round, and writes the file in the last one.
     *
     * @param annotations the annotations of the round
     * @param round the round
     * @return false: other processors see the annotations, too
     */
    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        TypeClosure closure =
                new TypeClosure(processingEnv.getElementUtils(), processingEnv.getTypeUtils(), registered);
        for (TypeElement annotation : annotations) {
            if (TypeClosure.isMark(annotation)) {
                round.getElementsAnnotatedWith(annotation).forEach(closure::addTypeOf);
            }
        }
        if (round.processingOver()) {
            addOption(closure);
            write();
        }
        return false;
    }

    private void addOption(TypeClosure closure) {
        for (String name : processingEnv.getOptions().getOrDefault(TYPES, "").split(",", -1)) {
            if (!name.isBlank()) {
                TypeElement type = processingEnv.getElementUtils().getTypeElement(name.strip());
                if (type == null) {
                    error("the option " + TYPES + " names " + name.strip()
                            + ", which is no type of this compilation; use its canonical name");
                } else {
                    closure.addWithFields(type);
                }
            }
        }
    }

    private void write() {
        if (registered.isEmpty()) {
            return;
        }
        String folder = "META-INF/native-image/io.stowline.types/"
                + registered.iterator().next().replace('$', '.');
        List<String> entries = registered.stream()
                .map(name -> "    {\"type\": \"" + name
                        + "\", \"allDeclaredConstructors\": true, \"allDeclaredMethods\": true,"
                        + " \"allDeclaredFields\": true, \"allPublicMethods\": true}")
                .toList();
        try (Writer file = processingEnv
                .getFiler()
                .createResource(
                        StandardLocation.CLASS_OUTPUT, "", folder + "/reachability-metadata.json", new Element[0])
                .openWriter()) {
            file.write("{\n  \"reflection\": [\n" + String.join(",\n", entries) + "\n  ]\n}\n");
        } catch (IOException e) {
            error("the reachability metadata in " + folder + " cannot be written: " + e);
        }
    }

    private void error(String message) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, message);
    }
}
